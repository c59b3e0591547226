/// A set of numbers in the order of insertion, in a flat form for many numbers.
///
/// The numbers are those of rows and properties, which input cannot choose.
struct NumberSet {
  private var numbers: [UInt64] = []
  /// The positions in `numbers` + 1, by hash; 0 marks a free slot.
  ///
  /// The count is a power of 2, or 0.
  private var slots: [UInt32] = []

  var count: Int { numbers.count }

  subscript(position: Int) -> UInt64 { numbers[position] }

  func contains(_ number: UInt64) -> Bool {
    !slots.isEmpty && slots[slot(of: number)] != 0
  }

  /// Returns the position of a number in the order; nil if it is missing.
  func position(of number: UInt64) -> Int? {
    guard !slots.isEmpty else { return nil }
    let position = Int(slots[slot(of: number)])
    return position == 0 ? nil : position &- 1
  }

  /// Adds a number; returns false if it is already in the set.
  mutating func insert(_ number: UInt64) -> Bool {
    if numbers.count &* 2 >= slots.count { grow() }
    let slot = slot(of: number)
    guard slots[slot] == 0 else { return false }
    numbers.append(number)
    slots[slot] = UInt32(truncatingIfNeeded: numbers.count)
    return true
  }

  /// Returns the slot of a number, or the free slot for it.
  private func slot(of number: UInt64) -> Int {
    let mask = slots.count &- 1
    var slot = Int(truncatingIfNeeded: (number &* 0x9E37_79B9_7F4A_7C15) &>> 20) & mask
    while slots[slot] != 0, numbers[Int(slots[slot]) &- 1] != number {
      slot = (slot &+ 1) & mask
    }
    return slot
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: max(slots.count * 2, 64))
    for position in 0..<numbers.count {
      slots[slot(of: numbers[position])] = UInt32(truncatingIfNeeded: position &+ 1)
    }
  }
}
