/// Finds the node of a link by the two rows it joins: open addressing, linear probing.
struct PairIndex {
  /// A node's number + 1, or 0.
  ///
  /// The rows are read from the node.
  private var slots: UnsafeMutablePointer<UInt32>
  private var capacity: Int
  private let hash = Hash.ofProcess
  private(set) var count = 0

  init(minimumCount: Int) {
    capacity = 64
    while capacity < minimumCount * 2 { capacity *= 2 }
    slots = .allocate(capacity: capacity)
    slots.initialize(repeating: 0, count: capacity)
  }

  func deallocate() { slots.deallocate() }

  @inline(__always)
  private func home(_ left: UInt32, _ right: UInt32) -> Int {
    Int(truncatingIfNeeded: hash.mix(UInt64(left) << 32 | UInt64(right))) & (capacity - 1)
  }

  func find(_ left: UInt32, _ right: UInt32, in table: LinkTable) -> UInt32? {
    var slot = home(left, right)
    while slots[slot] != 0 {
      let number = slots[slot] - 1
      let rows = table.node(number).pointee.rows
      if rows.0 == left && rows.1 == right { return number }
      slot = (slot + 1) & (capacity - 1)
    }
    return nil
  }

  mutating func insert(_ number: UInt32, in table: LinkTable) {
    if count * 2 >= capacity { grow(table) }
    place(number, table)
    count += 1
  }

  private func place(_ number: UInt32, _ table: LinkTable) {
    let rows = table.node(number).pointee.rows
    var slot = home(rows.0, rows.1)
    while slots[slot] != 0 { slot = (slot + 1) & (capacity - 1) }
    slots[slot] = number + 1
  }

  private mutating func grow(_ table: LinkTable) {
    let (old, oldCapacity) = (slots, capacity)
    capacity *= 2
    slots = .allocate(capacity: capacity)
    slots.initialize(repeating: 0, count: capacity)
    for slot in 0..<oldCapacity where old[slot] != 0 { place(old[slot] - 1, table) }
    old.deallocate()
  }

  /// Removes a node and closes the gap, so that no probe ends too early.
  mutating func remove(_ number: UInt32, in table: LinkTable) {
    let rows = table.node(number).pointee.rows
    var hole = home(rows.0, rows.1)
    while slots[hole] != number + 1 {
      if slots[hole] == 0 { return }
      hole = (hole + 1) & (capacity - 1)
    }
    var slot = hole
    while true {
      slot = (slot + 1) & (capacity - 1)
      guard slots[slot] != 0 else { break }
      let other = table.node(slots[slot] - 1).pointee.rows
      let wanted = home(other.0, other.1)
      if (slot - wanted) & (capacity - 1) >= (slot - hole) & (capacity - 1) {
        slots[hole] = slots[slot]
        hole = slot
      }
    }
    slots[hole] = 0
    count -= 1
  }

  /// How many slots lie between where the hashes say and where the nodes are, in all; for checks.
  func displacement(in table: LinkTable) -> Int {
    (0..<capacity).reduce(0) { sum, slot in
      guard slots[slot] != 0 else { return sum }
      let rows = table.node(slots[slot] - 1).pointee.rows
      return sum + (slot - home(rows.0, rows.1)) & (capacity - 1)
    }
  }
}
