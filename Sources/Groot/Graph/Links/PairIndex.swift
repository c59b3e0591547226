/// Finds the node of a link by its two rows: open addressing with linear probing.
struct PairIndex {
  /// The slots of nodes, from which the rows are read.
  private var slots: UnsafeMutablePointer<OptionalNode>
  private var capacity: Int
  private let hash = Hash.ofProcess
  private(set) var count = 0
  private let memory: Memory

  /// Makes an empty index; nil without memory.
  init?(minimumCount: Int, _ memory: Memory) {
    var capacity = 64
    while capacity < minimumCount * 2 { capacity *= 2 }
    guard let slots = memory.allocateIfPossible(OptionalNode.self, count: capacity) else {
      return nil
    }
    slots.initialize(repeating: .none, count: capacity)
    self.capacity = capacity
    self.slots = slots
    self.memory = memory
  }

  func deallocate() { memory.release(slots, count: capacity) }

  @inline(__always)
  private func home(_ left: Row, _ right: Row) -> Int {
    Int(truncatingIfNeeded: hash.mix(UInt64(left.rawValue) << 32 | UInt64(right.rawValue)))
      & (capacity - 1)
  }

  func find(_ left: Row, _ right: Row, in table: LinkTable) -> NodeIndex? {
    var slot = home(left, right)
    while let number = slots[slot].index {
      let rows = table.node(number).pointee.rows
      if rows.0 == left && rows.1 == right { return number }
      slot = (slot + 1) & (capacity - 1)
    }
    return nil
  }

  /// Adds a node; returns false without a free slot or memory for more.
  mutating func insert(_ number: NodeIndex, in table: LinkTable) -> Bool {
    // A search ends at a free slot, so one must stay.
    guard count * 2 < capacity || grow(table) || count + 1 < capacity else { return false }
    place(number, table: table)
    count += 1
    return true
  }

  private func place(_ number: NodeIndex, table: LinkTable) {
    let rows = table.node(number).pointee.rows
    var slot = home(rows.0, rows.1)
    while !slots[slot].isNone { slot = (slot + 1) & (capacity - 1) }
    slots[slot] = OptionalNode(number)
  }

  private mutating func grow(_ table: LinkTable) -> Bool {
    let (old, oldCapacity) = (slots, capacity)
    guard let larger = memory.allocateIfPossible(OptionalNode.self, count: capacity * 2) else {
      return false
    }
    capacity *= 2
    slots = larger
    slots.initialize(repeating: .none, count: capacity)
    for slot in 0..<oldCapacity {
      if let number = old[slot].index { place(number, table: table) }
    }
    memory.release(old, count: oldCapacity)
    return true
  }

  /// Removes a node and closes the gap, so that no search ends too early.
  mutating func remove(_ number: NodeIndex, in table: LinkTable) {
    let rows = table.node(number).pointee.rows
    var hole = home(rows.0, rows.1)
    while slots[hole] != OptionalNode(number) {
      if slots[hole].isNone { return }
      hole = (hole + 1) & (capacity - 1)
    }
    var slot = hole
    while true {
      slot = (slot + 1) & (capacity - 1)
      guard let next = slots[slot].index else { break }
      let other = table.node(next).pointee.rows
      let wanted = home(other.0, other.1)
      if (slot - wanted) & (capacity - 1) >= (slot - hole) & (capacity - 1) {
        slots[hole] = slots[slot]
        hole = slot
      }
    }
    slots[hole] = .none
    count -= 1
  }

  /// Returns the sum of the distances between the nodes' slots and those of the hashes, for tests.
  func displacement(in table: LinkTable) -> Int {
    (0..<capacity).reduce(0) { sum, slot in
      guard let number = slots[slot].index else { return sum }
      let rows = table.node(number).pointee.rows
      return sum + (slot - home(rows.0, rows.1)) & (capacity - 1)
    }
  }
}
