import Testing

import Groot

/// Keys that are derived from names, beyond the tables of the shared cases.
struct NamesTests {
  private static let acronyms = ["UUID", "ID", "PDF", "URL", "PNG", "JPG", "URI", "JSON", "XML"]

  /// A name of one to four words of letters and digits, of which some are acronyms.
  ///
  /// An acronym follows a word of small letters, else the two would be one run of capitals.
  private static func name(_ random: inout SeededGenerator) -> String {
    var name = word(&random)
    var mayBeAcronym = true
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      if mayBeAcronym && Int.random(in: 0..<3, using: &random) == 0 {
        name += acronyms.randomElement(using: &random) ?? "ID"
        mayBeAcronym = false
      } else {
        let next = word(&random)
        name += next.prefix(1).uppercased() + next.dropFirst()
        mayBeAcronym = true
      }
    }
    return name
  }

  private static func word(_ random: inout SeededGenerator) -> String {
    // Two letters at least: a single capital in front of an acronym would become a part of it.
    var word = String((0..<Int.random(in: 2...6, using: &random)).map { _ in letter(&random) })
    if Int.random(in: 0..<5, using: &random) == 0 {
      word += "\(Int.random(in: 0...99, using: &random))"
    }
    return word
  }

  private static func letter(_ random: inout SeededGenerator) -> Character {
    "abcdefghijklmnopqrstuvwxyz".randomElement(using: &random) ?? "a"
  }

  /// A mapping of an entity with these attributes, all of them text.
  private static func mapping(_ names: [String]) throws -> Mapping {
    let attributes = names.map { "\"\($0)\":{\"type\":\"string\",\"optional\":true}" }
    let row = "{\"attributes\":{\(attributes.joined(separator: ","))}}"
    let model = try ManagedObjectModel(document: "{\"entities\":{\"Row\":\(row)}}")
    return try Mapping(model: model, dialect: .hyper)
  }

  @Test(arguments: 0..<40)
  func theSpellingOfANameLeadsBackToIt(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var names: [String] = []
    var canonical: Set<String> = ["id", "remoteid", "destroy"]
    while names.count < 25 {
      let name = Self.name(&random)
      if canonical.insert(name.lowercased()).inserted { names.append(name) }
    }
    let context = ManagedObjectContext(mapping: try Self.mapping(names))
    var values = JSONObject()
    for name in names { values[name] = .string("value of \(name)") }
    let named = try #require(try context.importJSON(.value(.object(values)), into: "Row").first)
    for inflection in KeyInflection.allCases {
      var options = ExportOptions()
      options.inflection = inflection
      let written = try context.exportValue(named, options: options)
      let read = try #require(try context.importJSON(.value(written), into: "Row").first)
      for name in names { #expect(try read[name].stringValue == "value of \(name)") }
    }
  }

  @Test func manyThreadsReadTheSameNames() async throws {
    let mapping = try Self.mapping(["greenWallet", "userID", "updatedUUID", "driverIdentifier"])
    let keys = ["GreenWallet", "user_id", "updated_uuid", "driver_identifier", "green_wallet"]
    let expected = ["greenWallet", "userID", "updatedUUID", "driverIdentifier", "greenWallet"]
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let context = ManagedObjectContext(mapping: mapping)
          let row = try context.insert("Row")
          var found = 0
          for turn in 0..<750 {
            let index = turn % keys.count
            var json = JSONObject()
            json[keys[index]] = .string("\(turn)")
            try context.fill(row.id, from: .value(.object(json)))
            if try row[expected[index]].stringValue == "\(turn)" { found += 1 }
          }
          return found
        }
      }
      for try await found in group { #expect(found == 750) }
    }
  }
}
