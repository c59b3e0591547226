/// A set of numbers in the order of insertion, in a flat form for many numbers.
///
/// The numbers are those of rows and properties, which input cannot choose. The owner has made
/// sure that there is memory for them.
struct NumberSet: ~Copyable {
  private static let firstCapacity = 64

  private var numbers: UnsafeMutablePointer<UInt64>?
  /// The positions in `numbers` + 1, by hash, two slots for each number; 0 marks a free slot.
  private var slots: UnsafeMutablePointer<UInt32>?
  /// The number of numbers that fit: a power of 2, or 0.
  private var capacity = 0
  private(set) var count = 0

  deinit {
    numbers?.deallocate()
    slots?.deallocate()
  }

  subscript(position: Int) -> UInt64 {
    guard let numbers, position < count else { return 0 }
    return numbers[position]
  }

  func contains(_ number: UInt64) -> Bool { position(of: number) != nil }

  /// Returns the position of a number in the order; nil if it is missing.
  func position(of number: UInt64) -> Int? {
    guard let numbers, let slots else { return nil }
    let position = Int(slots[slot(of: number, numbers, slots)])
    return position == 0 ? nil : position &- 1
  }

  /// Adds a number; returns false if it is already in the set.
  @inline(__always) @discardableResult
  mutating func insert(_ number: UInt64) -> Bool {
    // The changes of an object follow each other.
    if let numbers, count > 0, numbers[count &- 1] == number { return false }
    return insertOther(number)
  }

  private mutating func insertOther(_ number: UInt64) -> Bool {
    if count == capacity { grow(to: max(capacity * 2, Self.firstCapacity)) }
    guard let numbers, let slots else { return false }
    let slot = slot(of: number, numbers, slots)
    guard slots[slot] == 0 else { return false }
    numbers[count] = number
    count &+= 1
    slots[slot] = UInt32(truncatingIfNeeded: count)
    return true
  }

  /// Returns the slot of a number, or the free slot for it.
  @inline(__always)
  private func slot(
    of number: UInt64, _ numbers: UnsafeMutablePointer<UInt64>,
    _ slots: UnsafeMutablePointer<UInt32>
  ) -> Int {
    let mask = capacity &* 2 &- 1
    // Rows mostly change one after another: eight neighbours have their slots side by side.
    let group = (number &>> 3) &* 0x9E37_79B9_7F4A_7C15
    var slot = Int(truncatingIfNeeded: (group &>> 20) &<< 3 | number & 7) & mask
    while slots[slot] != 0, numbers[Int(slots[slot]) &- 1] != number {
      slot = (slot &+ 1) & mask
    }
    return slot
  }

  /// Makes room for a number of numbers, so that the set need not grow on the way.
  mutating func reserve(_ count: Int) {
    if count > max(capacity, Self.firstCapacity) {
      grow(to: 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount))
    }
  }

  @inline(never)
  private mutating func grow(to wanted: Int) {
    let larger = UnsafeMutablePointer<UInt64>.allocate(capacity: wanted)
    let free = UnsafeMutablePointer<UInt32>.allocate(capacity: wanted * 2)
    free.initialize(repeating: 0, count: wanted * 2)
    if let numbers { larger.initialize(from: numbers, count: count) }
    numbers?.deallocate()
    slots?.deallocate()
    (numbers, slots, capacity) = (larger, free, wanted)
    for position in 0..<count {
      free[slot(of: larger[position], larger, free)] = UInt32(truncatingIfNeeded: position &+ 1)
    }
  }
}
