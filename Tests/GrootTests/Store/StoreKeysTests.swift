// The map between rows and the keys of a store, compared with a dictionary.

import Testing

@testable import Groot

@Suite struct StoreKeysTests {
  @Test(arguments: 0..<40) func rowsAreFoundByKeysInAndOutOfSequence(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var keys = StoreKeys()
    var rowOf: [Int64: Row] = [:]
    var keyOf: [Row: Int64] = [:]
    // A first key may be far from 0, as in a batch of a large import.
    let start: Int64 = seed % 3 == 0 ? 1 : seed % 3 == 1 ? 5_000 : .max - 9_000
    for step in 0..<3_000 {
      let row = Row(rawValue: UInt32(random.next() % 900))
      let key: Int64 =
        switch random.next() % 8 {
        case 0: 0
        case 1: Int64(bitPattern: random.next())
        case 2: start &- Int64(random.next() % 50)
        default: start &+ Int64(step) + Int64(random.next() % 20)
        }
      if key == 0 || rowOf[key] == nil {
        if let old = keyOf.removeValue(forKey: row) { rowOf[old] = nil }
        if key != 0 { (rowOf[key], keyOf[row]) = (row, key) }
        keys.set(row, to: StoreKeys.Entry(key: key, version: Int64(step)))
      }
      let asked = start &+ Int64(random.next() % 3_100)
      #expect(keys.row(asked) == rowOf[asked])
    }
    for (key, row) in rowOf {
      #expect(keys.row(key) == row)
      #expect(keys[row].key == key)
    }
    #expect(keys.all.count == rowOf.count)
    #expect(keys.row(0) == nil)
  }
}
