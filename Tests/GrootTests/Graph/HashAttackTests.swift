import Testing

@testable import Groot

/// Values that somebody chose who has read the sources but does not know the process's secrets.
///
/// Probes are counted, not times. Where hashes are as good as random, a row lies 1.5 slots beside its
/// place in a table that is three quarters full.
struct HashAttackTests {
  private static let count = 2_000
  private static let bearable = 8 * count

  /// Makes an object for each identity and tells how far these lie from their places.
  private func displacement(
    _ types: [AttributeType], _ identities: [[Value]]
  ) throws -> (rows: Int, displacement: Int) {
    let names = types.indices.map { "part\($0)" }
    let entity = EntityDescription(
      "Item",
      attributes: zip(names, types).map { name, type in
        var attribute = AttributeDescription(name, type)
        attribute.isOptional = true
        return attribute
      })
    let context = ManagedObjectContext(
      mapping: try Mapping(model: try ManagedObjectModel(entities: [entity])))
    let graph = context.graph
    let numbers = try names.map { try context.model.property(named: $0, of: 0).number }
    let position = try graph.identityIndex(table: 0, numbers)
    for identity in identities {
      let object = try context.insert("Item")
      for (name, value) in zip(names, identity) { try object.set(name, to: value) }
    }
    let index = graph.indexes[0][position].pointee
    return (index.rowCount, index.displacement)
  }

  private func expectSpread(_ types: [AttributeType], _ identities: [[Value]]) throws {
    let (rows, displacement) = try displacement(types, identities)
    #expect(rows == identities.count)
    #expect(displacement < 8 * identities.count, "\(types)")
  }

  private func bytes(_ word: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
  }

  /// The constants of wyhash and of Fibonacci hashing, and words that are often a secret's default.
  private static let constants: [UInt64] = [
    0xA076_1D64_78BD_642F, 0xE703_7ED1_A0B4_28DB, 0x8EBC_6AF0_9C88_C6E3, 0x5899_65CC_7537_4CC3,
    0x9E37_79B9_7F4A_7C15, 0, .max, 1 << 63,
  ]

  @Test(arguments: constants)
  func bytesChosenToMakeAHashZeroDoNotCollide(constant: UInt64) throws {
    // Before, at the end of, and after a block of sixteen.
    for prefix in [0, 16] {
      let filling = Array(repeating: UInt8(0), count: prefix)
      try expectSpread(
        [.binary],
        (0..<Self.count).map {
          [.binary(filling + bytes(constant) + bytes(UInt64($0)).prefix(7))]
        })
      try expectSpread(
        [.binary],
        (0..<Self.count).map { [.binary(bytes(constant) + bytes(UInt64($0)) + filling)] })
      try expectSpread(
        [.binary],
        (0..<Self.count).map { [.binary(bytes(UInt64($0)) + bytes(constant) + filling)] })
    }
  }

  @Test func numbersChosenInStepsDoNotCollide() throws {
    for shift in [0, 1, 7, 16, 17, 31, 32, 40, 48] {
      try expectSpread(
        [.integer64], (0..<Self.count).map { [.integer(Int64($0) << Int64(shift))] })
    }
    // Multiples of what 0x9E37_79B9_7F4A_7C15 times itself is one of: products are small.
    let inverse: UInt64 = 0xF1DE_83E1_9937_733D
    #expect(inverse &* 0x9E37_79B9_7F4A_7C15 == 1)
    try expectSpread(
      [.integer64],
      (0..<Self.count).map { [.integer(Int64(bitPattern: UInt64($0) &* inverse))] })
    try expectSpread(
      [.double], (0..<Self.count).map { [.real(Double(bitPattern: UInt64($0 + 1) << 40))] })
  }

  /// The hash of a missing value is not a value that can be chosen: else every second of these collides.
  @Test func identitiesWithMissingPartsDoNotCollide() throws {
    let parts = 12
    let chosen = Value.integer(0x5CA1_AB1E)
    try expectSpread(
      Array(repeating: .integer64, count: parts),
      (1..<(1 << parts)).map { number in
        (0..<parts).map { number >> $0 & 1 == 0 ? .null : chosen }
      })
  }

  @Test func identitiesOfSimilarPartsDoNotCollide() throws {
    try expectSpread(
      [.integer64, .integer64],
      (0..<Self.count).map { [.integer(Int64($0)), .integer(Int64(-$0))] })
    try expectSpread(
      [.string, .string],
      (0..<Self.count).map { number in
        let digits = "\(1_000_000 + number)"
        return [.string(String(digits.prefix(number % 8))), .string(digits)]
      })
    try expectSpread(
      [.uuid],
      (0..<Self.count).map { [.uuid(UUIDValue(high: UInt64($0), low: UInt64($0)))] })
  }

  @Test func pairsOfLinkedRowsDoNotCollide() throws {
    var table = LinkTable(nil)
    defer { table.deallocate() }
    var pairs = try #require(PairIndex(minimumCount: 16, Memory(nil)))
    defer { pairs.deallocate() }
    for number in 0..<UInt32(Self.count) {
      let rows = number % 2 == 0 ? (number, number) : (number << 12, 0)
      let inserted = table.insert(Row(rawValue: rows.0), Row(rawValue: rows.1))
      let node = try #require(inserted).number
      let isInserted = pairs.insert(node, in: table)
      #expect(isInserted)
    }
    #expect(pairs.count == Self.count)
    #expect(pairs.displacement(in: table) < Self.bearable)
  }

  /// The numbers of rows in a store are those that its file says.
  @Test func keysChosenByAFileDoNotCollide() {
    let inverse: UInt64 = 0xF1DE_83E1_9937_733D
    let choices: [(UInt32) -> Int64] = [
      { Int64($0) + 1 }, { Int64($0 + 1) << 32 }, { Int64(bitPattern: UInt64($0 + 1) &* inverse) },
      { Int64($0 + 1) << 40 },
    ]
    for key in choices {
      var keys = StoreKeys()
      for row in 0..<UInt32(Self.count) {
        keys.set(Row(rawValue: row), to: StoreKeys.Entry(key: key(row), version: 0))
      }
      #expect(keys.displacement < Self.bearable)
      #expect((0..<UInt32(Self.count)).allSatisfy { keys.row(key($0)) == Row(rawValue: $0) })
    }
  }

  /// A key whose hash another has would be asked about each time it comes.
  @Test(arguments: constants)
  func keysOfRecordsChosenByAnAttackerAreAskedForOnce(constant: UInt64) {
    let asked = Counter()
    let spelling: KeySpelling = { _ in
      asked.count += 1
      return nil
    }
    var keys = SpelledKeys()
    for _ in 0..<3 {
      for number in 0..<UInt64(1_000) {
        let key = bytes(constant) + bytes(number).prefix(7)
        _ = key.withUnsafeBufferPointer { keys.position(of: $0, in: 0, spelling) }
      }
    }
    #expect(asked.count == 1_000)
  }

  private final class Counter: @unchecked Sendable {
    var count = 0
  }
}
