import Testing

import Groot

/// What any JSON value does to an attribute of any type, where an import converts what it can.
@Suite struct CoercionLawTests {
  static let types = [
    "integer16", "integer32", "integer64", "decimal", "double", "float", "string", "boolean",
    "date",
    "binary", "uuid", "uri", "transformable",
  ]

  static func context(_ type: String) throws -> ManagedObjectContext {
    let model = try ManagedObjectModel(
      document: """
        {"entities": {"Thing": {"attributes": {
          "key": {"type": "integer64", "optional": true},
          "value": {"type": "\(type)", "optional": true}}}}}
        """)
    let rules: JSONValue = ["things": ["Thing.key": ["key": "key", "value": "value"]]]
    return ManagedObjectContext(mapping: try Mapping(model: model, dialect: .kvc, rules: rules))
  }

  /// Values at the edges of all types, and random ones.
  static func values(_ random: inout SeededGenerator) -> [JSONValue] {
    var values: [JSONValue] = [
      true, false, 0, 1, -1, [], [:], "", " ", "true", "no", "+7", "-0", "1e3", "1e-3", "1.0", ".5",
      "12abc", "0x10", "2001-01-01", "2001-01-01T00:00:00Z", "AQID", "AQ==", "A", "nan", "inf",
      "7d444840-9dc0-11d1-b245-5ffdce74fad2", "9223372036854775807", "9223372036854775808",
      "-9223372036854775809", "1e309", "1e-400", "0.1", "123456789012345678901234567890", [[nil]],
      ["a": [1, nil]], "é", "１", .real(0.1), .real(1e300), .real(-1e300), .real(3),
      .real(-0.0), .real(5e-324), .integer(.max), .integer(.min), .integer(65_536), "32768",
    ]
    for _ in 0..<60 {
      let number = Int64(bitPattern: random.next()) >> Int64.random(in: 0...63, using: &random)
      values.append(.integer(number))
      values.append(.string("\(number)"))
      let real = Double(bitPattern: random.next())
      if real.isFinite { values += [.real(real), .string("\(real)")] }
      let letters = (0..<4).map { _ in "0123456789 +-.eEtfyn".randomElement(using: &random) ?? "0" }
      values.append(.string(String(letters)))
    }
    return values
  }

  /// It is taken, or it is one issue and the old value stays; the import never fails.
  @Test(arguments: types)
  func eachValueIsTakenOrReported(type: String) throws {
    var random = SeededGenerator(seed: 31)
    let context = try Self.context(type)
    let object = try #require(try context.importJSON(.value(["key": 1]), into: "Thing").first)
    var taken = 0
    for value in Self.values(&random) {
      let old = try object["value"]
      let report = try context.importJSON(.value(["key": 1, "value": value]), into: "Thing").report
      #expect(report.inserted == 0)
      guard report.issues.isEmpty else {
        #expect(report.issues.map(\.path) == ["$.value"], "\(value)")
        #expect(report.issues.map(\.property) == ["value"], "\(value)")
        #expect([.wrongType, .outOfRange].contains(report.issues[0].status), "\(value)")
        #expect(try object["value"] == old, "\(value)")
        #expect(report.updated == 0, "\(value)")
        continue
      }
      taken += 1
      #expect(try object["value"] != .null, "\(value)")
      try Self.checkTaken(value, object["value"])
      // A decimal may be too large for a JSON number that jansson reads.
      if type == "decimal", value == "1e309" { continue }
      // What was taken is written as something that is taken as the same.
      let text = try context.exportText(object)
      let again = try context.importJSON(.text(text), into: "Thing").report
      #expect(again.updated == 0 && again.issues.isEmpty, "\(value) is written as \(text)")
    }
    #expect(taken >= 1)
  }

  /// Numbers keep their value, whatever they became.
  private static func checkTaken(_ json: JSONValue, _ value: Value) throws {
    switch (json, value) {
    case (.integer(let number), .integer(let found)): #expect(found == number)
    case (.integer(let number), .string(let found)): #expect(found == "\(number)")
    case (.integer(let number), .boolean(let found)): #expect(found == (number != 0))
    case (.real(let number), .integer(let found)): #expect(Double(exactly: found) == number)
    case (.real(let number), .string(let found)): #expect(Double(found) == number)
    case (.real(let number), .boolean(let found)): #expect(found == (number != 0))
    case (.boolean(let truth), .integer(let found)): #expect(found == (truth ? 1 : 0))
    case (.string(let text), .integer(let found)):
      // Text is a number as a whole, whatever its form.
      let trimmed = text.filter { !$0.isWhitespace }
      let exact = DecimalNumber(trimmed).map { $0 == DecimalNumber(found) }
      #expect(exact ?? (Double(trimmed) == Double(found)), "\(text)")
    case (.string(let text), .string(let found)): #expect(found == text)
    default: break
    }
  }
}
