// The rows of an identity, and functions for checks of the index.

extension IdentityIndex {
  /// Returns all rows with the identity `key` and an entity in a subtree, oldest first.
  func oldestFirst(
    _ key: UnsafePointer<StoredValue>, hash: UInt32, first: UInt16, last: UInt16
  ) -> [Row] {
    rows(key, hash: hash, first: first, last: last).sorted { table.pointee.isOlder($0, $1) }
  }

  /// Returns all rows with the identity `key` and an entity in a subtree.
  func rows(
    _ key: UnsafePointer<StoredValue>, hash: UInt32, first: UInt16, last: UInt16
  ) -> [Row] {
    var rows: [Row] = []
    var slot = Int(hash) & (capacity - 1)
    while let row = entries[slot].row.index {
      let record = table.pointee.record(row)
      let entity = record.assumingMemoryBound(to: RecordHeader.self).pointee.entity
      if entries[slot].hash == hash, entity >= first, entity <= last, matches(record, key: key) {
        rows.append(row)
        if let equal = followers.pointee[row] { rows.append(contentsOf: equal.members) }
      }
      slot = (slot + 1) & (capacity - 1)
    }
    return rows
  }

  /// Returns the oldest row in a subtree with the identity of a row; nil if that lacks one.
  mutating func first(of row: Row, _ first: UInt16, _ last: UInt16) -> Row? {
    var found: Row?
    withKey(of: row) { index, key in
      if let hash = index.hash(key) {
        found = index.find(key, hash: hash, first: first, last: last)
      }
    }
    return found
  }

  /// Returns all rows in a subtree with the identity of a row, oldest first.
  mutating func rows(like row: Row, _ first: UInt16, _ last: UInt16) -> [Row] {
    var found: [Row] = []
    withKey(of: row) { index, key in
      if let hash = index.hash(key) {
        found = index.oldestFirst(key, hash: hash, first: first, last: last)
      }
    }
    return found
  }

  /// Returns whether a row can be found in the index, for tests.
  mutating func holds(_ row: Row) -> Bool {
    var result = true
    withKey(of: row) { index, key in
      guard let hash = index.hash(key) else { return }
      let entity = index.table.pointee.header(row).pointee.entity
      guard let first = index.find(key, hash: hash, first: entity, last: entity) else {
        result = false
        return
      }
      result = first == row || index.followers.pointee[first]?.contains(row) == true
    }
    return result
  }

  /// The sum of the distances between the rows' slots and those of their hashes, for tests.
  var displacement: Int {
    let mask = capacity - 1
    return (0..<capacity).reduce(0) { sum, slot in
      entries[slot].row.isNone ? sum : sum + (slot - Int(entries[slot].hash)) & mask
    }
  }

  /// The number of rows in the index, for tests.
  var rowCount: Int { count + followers.pointee.values.reduce(0) { $0 + $1.members.count } }
}
