/// Eight bytes of text that are processed together in a `UInt64`: lane 0, the low byte, is the
/// first in memory.
enum ByteLanes {
  /// The high bit of every lane.
  static var highBits: UInt64 { @inline(__always) get { 0x8080_8080_8080_8080 } }
  /// The digit `0` in every lane, which converts digit values to digits.
  static var zeros: UInt64 { @inline(__always) get { 0x3030_3030_3030_3030 } }

  /// Reads eight bytes, at any alignment.
  @inline(__always)
  static func load8(_ source: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(source).loadUnaligned(as: UInt64.self))
  }

  /// Reads four bytes, at any alignment.
  @inline(__always)
  static func load4(_ source: UnsafePointer<UInt8>) -> UInt32 {
    UInt32(littleEndian: UnsafeRawPointer(source).loadUnaligned(as: UInt32.self))
  }

  /// Writes eight bytes, at any alignment.
  @inline(__always)
  static func store8(_ lanes: UInt64, into target: UnsafeMutablePointer<UInt8>) {
    UnsafeMutableRawPointer(target).storeBytes(of: lanes.littleEndian, as: UInt64.self)
  }

  /// Writes four bytes, at any alignment.
  @inline(__always)
  static func store4(_ lanes: UInt32, into target: UnsafeMutablePointer<UInt8>) {
    UnsafeMutableRawPointer(target).storeBytes(of: lanes.littleEndian, as: UInt32.self)
  }

  /// Returns a byte in every lane.
  @inline(__always)
  static func fill(_ byte: UInt8) -> UInt64 {
    UInt64(byte) &* 0x0101_0101_0101_0101
  }

  /// Returns whether each lane is a digit's value, after an exclusive or with the digit `0`.
  ///
  /// A lane that carries into its neighbour has its own high bit set, so the result is false
  /// anyway.
  @inline(__always)
  static func areDigitValues(_ lanes: UInt64) -> Bool {
    (lanes | (lanes &+ fill(0x76))) & highBits == 0
  }

  /// Returns the high bit of each lane in `low...high`; all lanes and both bounds must be below
  /// 128.
  @inline(__always)
  static func within(_ lanes: UInt64, low: UInt8, high: UInt8) -> UInt64 {
    (lanes &+ fill(0x80 &- low)) & ~(lanes &+ fill(0x7F &- high)) & highBits
  }

  /// Returns `amount` in each lane whose high bit is set in `flags`, which must not have other
  /// bits.
  @inline(__always)
  static func spread(_ flags: UInt64, amount: UInt8) -> UInt64 {
    (flags &>> 7) &* UInt64(amount)
  }

  /// Returns the number of eight digit values.
  @inline(__always)
  static func number(ofDigitValues lanes: UInt64) -> UInt64 {
    let pairs = (lanes &* 10 &+ (lanes &>> 8)) & 0x00FF_00FF_00FF_00FF
    let fours = (pairs &* 100 &+ (pairs &>> 16)) & 0x0000_FFFF_0000_FFFF
    return (fours &* 10_000 &+ (fours &>> 32)) & 0xFFFF_FFFF
  }

  /// Returns the eight digit values of a number below 100,000,000, including leading zeros.
  @inline(__always)
  static func digitValues(of number: UInt64) -> UInt64 {
    let upper = number / 10_000
    let fours = upper | ((number &- upper &* 10_000) &<< 32)
    // x * 10486 >> 20 is x / 100 for x below 10,000, x * 103 >> 10 is x / 10 for x below 100.
    let hundreds = ((fours &* 10_486) &>> 20) & 0x0000_007F_0000_007F
    let pairs = hundreds | ((fours &- hundreds &* 100) &<< 16)
    return digitValues(ofPairs: pairs, tens: 0x000F_000F_000F_000F)
  }

  /// Splits numbers below 100 into a lane of tens, followed by a lane of units.
  ///
  /// `tens` masks the lanes of the numbers; the lane after each must be empty.
  @inline(__always)
  static func digitValues(ofPairs pairs: UInt64, tens mask: UInt64) -> UInt64 {
    let tens = ((pairs &* 103) &>> 10) & mask
    return tens | ((pairs &- tens &* 10) &<< 8)
  }
}
