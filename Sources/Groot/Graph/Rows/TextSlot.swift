/// The form of text or bytes in a record: 16 bytes, of which the first 4 are the length.
///
/// Up to 12 bytes are in the slot itself. Longer text is in the graph's ``TextArena``. Its first 4
/// bytes are repeated after the length, so that most unequal texts differ in the first word. The
/// last 8 bytes of the slot are its address.
enum TextSlot {
  static let inlineCapacity = 12
  /// The greatest length in 4 bytes, which all code that adds text to a graph checks.
  static let maximumLength = Int(UInt32.max)

  @inline(__always)
  static func length(_ slot: UnsafeRawPointer) -> Int {
    Int(slot.load(as: UInt32.self))
  }

  /// Returns the bytes, borrowed until the slot is written or the graph's text is compacted.
  @inline(__always)
  static func bytes(_ slot: UnsafeRawPointer) -> UnsafeBufferPointer<UInt8> {
    let count = length(slot)
    if count <= inlineCapacity {
      return UnsafeBufferPointer(
        start: (slot + 4).assumingMemoryBound(to: UInt8.self), count: count)
    }
    let address = UInt(truncatingIfNeeded: (slot + 8).load(as: UInt64.self))
    return UnsafeBufferPointer(start: UnsafePointer(bitPattern: address), count: count)
  }

  /// Writes text; text longer than the slot is copied into the arena.
  ///
  /// Without memory the slot is empty, and the current call fails later.
  @inline(__always)
  static func write(
    _ source: UnsafePointer<UInt8>, count: Int, to slot: UnsafeMutableRawPointer,
    arena: UnsafeMutablePointer<TextArena>
  ) {
    if count <= inlineCapacity {
      slot.storeBytes(of: UInt64(UInt32(truncatingIfNeeded: count)), as: UInt64.self)
      (slot + 8).storeBytes(of: 0, as: UInt64.self)
      copyShort(source, count: count, to: slot + 4)
      return
    }
    guard let copy = arena.pointee.allocate(count) else {
      CLibrary.fill(slot, count: 16)
      return
    }
    CLibrary.copy(count, from: source, to: copy)
    write(copyOf: source, count: count, at: copy, to: slot)
  }

  /// Writes text that the arena already has.
  @inline(__always)
  static func write(
    copyOf source: UnsafePointer<UInt8>, count: Int, at copy: UnsafeMutableRawPointer,
    to slot: UnsafeMutableRawPointer
  ) {
    slot.storeBytes(of: UInt32(truncatingIfNeeded: count), as: UInt32.self)
    CLibrary.copy(4, from: source, to: slot + 4)
    (slot + 8).storeBytes(of: UInt64(UInt(bitPattern: copy)), as: UInt64.self)
  }

  /// Copies up to 12 bytes with two overlapping moves instead of a call.
  @inline(__always)
  private static func copyShort(
    _ source: UnsafePointer<UInt8>, count: Int, to target: UnsafeMutableRawPointer
  ) {
    let source = UnsafeRawPointer(source)
    if count >= 8 {
      let head = source.loadUnaligned(as: UInt64.self)
      let tail = (source + (count &- 8)).loadUnaligned(as: UInt64.self)
      target.storeBytes(of: head, as: UInt64.self)
      (target + (count &- 8)).storeBytes(of: tail, as: UInt64.self)
    } else if count >= 4 {
      let head = source.loadUnaligned(as: UInt32.self)
      let tail = (source + (count &- 4)).loadUnaligned(as: UInt32.self)
      target.storeBytes(of: head, as: UInt32.self)
      (target + (count &- 4)).storeBytes(of: tail, as: UInt32.self)
    } else {
      for index in 0..<count {
        target.storeBytes(
          of: source.load(fromByteOffset: index, as: UInt8.self),
          toByteOffset: index, as: UInt8.self)
      }
    }
  }

  @inline(__always)
  static func equals(
    _ slot: UnsafeRawPointer, other: UnsafePointer<UInt8>, count: Int
  ) -> Bool {
    guard length(slot) == count else { return false }
    return ByteComparison.areEqual(bytes(slot).baseAddress ?? other, other, count: count)
  }
}
