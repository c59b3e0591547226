import Testing

import Groot

/// Damaged feeds: whatever comes, the graph stays whole, and what fails changes nothing.
struct ImportFuzzTests {
  @Test(arguments: 0..<12)
  func damagedTextLeavesTheGraphWhole(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(9_000 + seed))
    let context = try Generated.context()
    try context.importJSON(.value(Generated.people(10, &random)), into: "Person")
    for round in 0..<60 {
      var bytes = Array(Generated.people(3, &random).description.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) { Self.damage(&bytes, &random) }
      var options = ImportOptions()
      options.errorMode = [.abort, .collect, .skip][round % 3]
      options.usesScanner = Bool.random(using: &random)
      options.listsChanges = Bool.random(using: &random)
      options.policies = Self.policies.randomElement(using: &random) ?? [:]
      let before = dump(context)
      do {
        try bytes.withUnsafeBytes {
          _ = try context.importJSON(.bytes($0), into: "Person", options: options)
        }
        _ = try context.exportText(context.fetch(FetchRequest("Person")))
      } catch is GrootError {
        #expect(dump(context) == before)
      }
      #expect(context.brokenInvariants() == [])
      if round % 7 == 0 { try? context.rollback() }
      if round % 11 == 0 { try? context.save() }
    }
  }

  static let policies: [NameMap<String>] = [
    [:], ["null": "keep"], ["null": "default", "missing": "clear"], ["shape": "box"],
    ["shape": "ignore", "conversion": "lenient"], ["assignment": "union"],
    ["assignment": "deleteMissing"], ["unknownIdentifier": "skip"],
    ["unknownIdentifier": "error", "null": "error"],
  ]

  /// Changes, removes, repeats or inserts a few bytes, mostly such as JSON is made of.
  static func damage(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    guard !bytes.isEmpty else { return }
    let place = Int.random(in: 0..<bytes.count, using: &random)
    let alphabet = Array("{}[]\",:0123456789.eE+-nulltruefalse\\u \n\u{00e9}".utf8)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: bytes[place] = alphabet.randomElement(using: &random) ?? 0
    case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 2: bytes.remove(at: place)
    case 3: bytes.insert(alphabet.randomElement(using: &random) ?? 0, at: place)
    default:
      let end = min(bytes.count, place + Int.random(in: 1...20, using: &random))
      bytes.insert(contentsOf: bytes[place..<end], at: place)
    }
  }
}
