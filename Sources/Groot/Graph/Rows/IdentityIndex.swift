/// Finds objects of a hierarchy by the values of their identity attributes.
///
/// The index uses open addressing with (hash, row) pairs, and compares the values in the records.
/// One identity may belong to several rows: to siblings in the hierarchy, or to objects with equal
/// values. Of the rows of one entity, only the oldest has an entry, so that no probe sequence grows
/// with their number. A missing value is not indexed as a single identity attribute, since it does
/// not identify an object.
struct IdentityIndex {
  struct Entry {
    static let empty = Entry(hash: 0, row: .none)

    var hash: UInt32
    var row: OptionalRow
  }

  let table: UnsafeMutablePointer<ObjectTable>
  let fieldCount: Int
  let fields: UnsafeMutablePointer<Field>
  private let hashing = Hash.ofProcess
  private(set) var entries: UnsafeMutablePointer<Entry>
  private(set) var capacity: Int
  private let memory: Memory
  private(set) var count = 0
  /// Whether two rows, of one entity or of two, have had the same identity.
  private(set) var hasEqualRows = false
  /// The other rows with the identity and entity of a row in `entries`, by that row.
  ///
  /// The pointer keeps the index free of references, which a copy would have to count.
  let followers: UnsafeMutablePointer<[Row: EqualRows]>

  /// Makes an empty index; nil without memory for all rows that the table has had so far.
  ///
  /// A return to any earlier state therefore does not need more memory.
  init?(table: UnsafeMutablePointer<ObjectTable>, fields: [Field], _ memory: Memory) {
    var capacity = 16
    while table.pointee.count.offset &* 4 >= capacity &* 3 { capacity *= 2 }
    guard let entries = memory.allocate(Entry.self, count: capacity) else { return nil }
    self.entries = entries
    self.capacity = capacity
    self.memory = memory
    self.table = table
    fieldCount = fields.count
    self.fields = .allocate(capacity: max(fields.count, 1))
    self.fields.initialize(from: fields, count: fields.count)
    entries.initialize(repeating: .empty, count: capacity)
    followers = .allocate(capacity: 1)
    followers.initialize(to: [:])
  }

  func deallocate() {
    followers.deinitialize(count: 1)
    followers.deallocate()
    fields.deallocate()
    memory.release(entries, count: capacity)
  }

  /// Reserves entries for more rows; returns false without memory.
  @inline(__always)
  mutating func reserve(_ additional: Int) -> Bool {
    (count &+ additional &- 1) &* 4 < capacity &* 3 || grow(additional)
  }

  /// Enlarges the index; without memory it may instead become a little too full.
  @inline(never)
  private mutating func grow(_ additional: Int) -> Bool {
    var wanted = capacity * 2
    while (count + additional - 1) * 4 >= wanted * 3 { wanted *= 2 }
    if let larger = memory.allocateIfPossible(Entry.self, count: wanted) {
      move(to: larger, capacity: wanted)
      return true
    }
    if (count + additional) * 16 < capacity * 15 { return true }
    memory.noteShortage(Entry.self, count: wanted)
    return false
  }

  /// Forgets all rows.
  mutating func removeAll() {
    entries.update(repeating: .empty, count: capacity)
    followers.pointee = [:]
    hasEqualRows = false
    count = 0
  }

  /// Returns whether the index has these properties, in this order.
  func isOver(_ numbers: [Int]) -> Bool {
    numbers.count == fieldCount && numbers.indices.allSatisfy { fields[$0].number == numbers[$0] }
  }

  /// Returns whether an identity identifies an object: a single attribute needs a value.
  @inline(__always)
  func isIdentity(_ key: UnsafePointer<StoredValue>) -> Bool {
    fieldCount != 1 || key[0].isPresent
  }

  /// Returns the hash of an identity; nil if it does not identify an object.
  @inline(__always)
  func hash(_ key: UnsafePointer<StoredValue>) -> UInt32? {
    guard isIdentity(key) else { return nil }
    if fieldCount == 1 {
      return UInt32(truncatingIfNeeded: key[0].hash(fields[0].storage, from: 0, with: hashing))
    }
    var result: UInt64 = 0
    for index in 0..<fieldCount {
      result = key[index].hash(fields[index].storage, from: result, with: hashing)
    }
    return UInt32(truncatingIfNeeded: result)
  }

  /// Returns whether a row of the subtree is the only one with the identity `key`, which identifies
  /// an object.
  ///
  /// It does not search: while all identities differ, a row that has this one is the only one. The
  /// record of a fault has the defaults of its entity instead of its identity.
  @inline(__always)
  func isOnly(
    _ row: Row, with key: UnsafePointer<StoredValue>, first: UInt16, last: UInt16
  ) -> Bool {
    guard row < table.pointee.count, !hasEqualRows else { return false }
    let record = table.pointee.record(row)
    let header = record.assumingMemoryBound(to: RecordHeader.self)
    let state = header.pointee.state & (RecordState.live | RecordState.fault)
    return state == RecordState.live && header.pointee.entity >= first
      && header.pointee.entity <= last && matches(record, key: key)
  }

  /// Returns the oldest row with the identity `key` and an entity in the subtree.
  @inline(__always)
  func find(
    _ key: UnsafePointer<StoredValue>, hash: UInt32, first: UInt16, last: UInt16
  ) -> Row? {
    var found: Row?
    forEach(key, hash: hash, first: first, last: last) { row, _ in
      found = found.map { table.pointee.isOlder($0, row) ? $0 : row } ?? row
      return first == last
    }
    return found
  }

  /// Finds the same row, and sets `isUnknown` if no row in the subtree `around` has the identity.
  @inline(__always)
  func find(
    _ key: UnsafePointer<StoredValue>, hash: UInt32, first: UInt16, last: UInt16,
    around: ClosedRange<UInt16>, isUnknown: inout Bool
  ) -> Row? {
    var found: Row?
    isUnknown = true
    forEach(key, hash: hash, first: around.lowerBound, last: around.upperBound) { row, entity in
      isUnknown = false
      guard entity >= first && entity <= last else { return false }
      found = found.map { table.pointee.isOlder($0, row) ? $0 : row } ?? row
      return first == last
    }
    return found
  }

  /// Calls `body` with each row of an identity in a subtree, until it returns true.
  @inline(__always)
  private func forEach(
    _ key: UnsafePointer<StoredValue>, hash: UInt32, first: UInt16, last: UInt16,
    body: (_ row: Row, _ entity: UInt16) -> Bool
  ) {
    var slot = Int(hash) & (capacity &- 1)
    while let row = entries[slot].row.index {
      if entries[slot].hash == hash {
        let record = table.pointee.record(row)
        let entity = record.assumingMemoryBound(to: RecordHeader.self).pointee.entity
        if entity >= first && entity <= last && matches(record, key: key), body(row, entity) {
          return
        }
      }
      slot = (slot &+ 1) & (capacity &- 1)
    }
  }

  @inline(__always)
  func matches(_ record: UnsafeRawPointer, key: UnsafePointer<StoredValue>) -> Bool {
    for index in 0..<fieldCount {
      let field = fields[index]
      if field.storage == .integer {
        // Most identities are integers, which need no StoredValue.
        guard
          table.pointee.has(field, in: record) == key[index].isPresent,
          !key[index].isPresent
            || record.load(fromByteOffset: Int(field.offset), as: UInt64.self) == key[index].word0
        else { return false }
      } else if !StoredValue(record, field: field, table: table).equals(
        key[index], storage: field.storage)
      {
        return false
      }
    }
    return true
  }

  /// Adds a row with the identity in its record.
  mutating func insert(_ row: Row) {
    withKey(of: row) { index, key in
      guard let hash = index.hash(key) else { return }
      index.insert(row, key: key, hash: hash)
    }
  }

  /// Adds a row whose identity is `key`.
  ///
  /// Without memory the row is left out, and the current call fails later.
  @inline(__always)
  mutating func insert(_ row: Row, key: UnsafePointer<StoredValue>, hash: UInt32) {
    // A search ends at an empty slot, so one must stay.
    guard reserve(1) || count &+ 1 < capacity else { return }
    let entity = table.pointee.header(row).pointee.entity
    var slot = Int(hash) & (capacity &- 1)
    while let other = entries[slot].row.index {
      if entries[slot].hash == hash {
        let record = table.pointee.record(other)
        let isEqual = matches(record, key: key)
        if isEqual { hasEqualRows = true }
        if isEqual, record.assumingMemoryBound(to: RecordHeader.self).pointee.entity == entity {
          if table.pointee.isOlder(other, row) {
            followers.pointee[other, default: EqualRows()].insert(row, in: table)
          } else {
            // A row that was removed and is added again is the oldest.
            var equal = followers.pointee.removeValue(forKey: other) ?? EqualRows()
            equal.insert(other, in: table)
            followers.pointee[row] = equal
            entries[slot].row = OptionalRow(row)
          }
          return
        }
      }
      slot = (slot &+ 1) & (capacity &- 1)
    }
    entries[slot] = Entry(hash: hash, row: OptionalRow(row))
    count &+= 1
  }

  private mutating func move(to larger: UnsafeMutablePointer<Entry>, capacity wanted: Int) {
    let (old, oldCapacity) = (entries, capacity)
    entries = larger
    capacity = wanted
    entries.initialize(repeating: .empty, count: capacity)
    for index in 0..<oldCapacity where !old[index].row.isNone {
      var slot = Int(old[index].hash) & (capacity - 1)
      while !entries[slot].row.isNone { slot = (slot + 1) & (capacity - 1) }
      entries[slot] = old[index]
    }
    memory.release(old, count: oldCapacity)
  }

  /// Removes a row; its record must still have the identity under which it was added.
  mutating func remove(_ row: Row) {
    withKey(of: row) { index, key in
      guard let hash = index.hash(key) else { return }
      index.remove(row, key: key, hash: hash)
    }
  }

  private mutating func remove(_ row: Row, key: UnsafePointer<StoredValue>, hash: UInt32) {
    let entity = table.pointee.header(row).pointee.entity
    var slot = Int(hash) & (capacity - 1)
    while let other = entries[slot].row.index {
      if other == row {
        replace(slot)
        return
      }
      if entries[slot].hash == hash, followers.pointee[other] != nil,
        table.pointee.header(other).pointee.entity == entity,
        followers.pointee[other]?.remove(row, in: table) == true
      {
        if followers.pointee[other]?.isEmpty == true { followers.pointee[other] = nil }
        return
      }
      slot = (slot + 1) & (capacity - 1)
    }
  }

  /// Replaces the row in a slot by its first follower, or empties the slot.
  private mutating func replace(_ slot: Int) {
    if let row = entries[slot].row.index,
      var equal = followers.pointee.removeValue(forKey: row), let heir = equal.popOldest(in: table)
    {
      entries[slot].row = OptionalRow(heir)
      if !equal.isEmpty { followers.pointee[heir] = equal }
      return
    }
    var hole = slot
    var next = slot
    while true {
      next = (next + 1) & (capacity - 1)
      guard !entries[next].row.isNone else { break }
      let wanted = Int(entries[next].hash) & (capacity - 1)
      if (next - wanted) & (capacity - 1) >= (next - hole) & (capacity - 1) {
        entries[hole] = entries[next]
        hole = next
      }
    }
    entries[hole] = .empty
    count -= 1
  }

  /// Calls `body` with the identity in a record.
  mutating func withKey(
    of row: Row, _ body: (inout IdentityIndex, UnsafePointer<StoredValue>) -> Void
  ) {
    withUnsafeTemporaryAllocation(of: StoredValue.self, capacity: max(fieldCount, 1)) { key in
      guard let start = key.baseAddress else { return }
      let record = table.pointee.record(row)
      for position in 0..<fieldCount {
        (start + position).initialize(
          to: StoredValue(record, field: fields[position], table: table))
      }
      body(&self, UnsafePointer(start))
    }
  }
}

// The rows of an identity, and functions for checks of the index.

extension IdentityIndex {
  /// Returns all rows with the identity `key` and an entity in a subtree, oldest first.
  func oldestFirst(
    _ key: UnsafePointer<StoredValue>, hash: UInt32, first: UInt16, last: UInt16
  ) -> [Row] {
    let rows = rows(key, hash: hash, first: first, last: last)
    return rows.count > 1 ? rows.sorted { table.pointee.isOlder($0, $1) } : rows
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
