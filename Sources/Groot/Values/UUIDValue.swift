/// A universally unique identifier (RFC 9562): 16 bytes.
public struct UUIDValue: Hashable, Sendable {
  /// The first eight bytes, most significant first.
  public let high: UInt64
  /// The last eight bytes, most significant first.
  public let low: UInt64

  /// Makes an identifier from its halves.
  @inline(__always)
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Makes an identifier from its bytes; nil unless there are 16.
  public init?(bytes: [UInt8]) {
    guard let value = bytes.withUnsafeBufferPointer({ UUIDValue(bytes: $0) }) else { return nil }
    self = value
  }

  /// Makes an identifier from its bytes; nil unless there are 16.
  public init?(bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress, bytes.count == 16 else { return nil }
    high = ByteLanes.load8(start).byteSwapped
    low = ByteLanes.load8(start + 8).byteSwapped
  }

  /// The 16 bytes in the order of the text.
  public var bytes: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
      guard let start = buffer.baseAddress else { return }
      writeBytes(into: start)
      count = 16
    }
  }

  /// Writes the 16 bytes to `target`.
  public func writeBytes(into target: UnsafeMutablePointer<UInt8>) {
    ByteLanes.store8(high.byteSwapped, into: target)
    ByteLanes.store8(low.byteSwapped, into: target + 8)
  }
}

extension UUIDValue: Comparable {
  /// Returns whether the left identifier is first in the order of bytes, which is that of the
  /// texts.
  public static func < (left: UUIDValue, right: UUIDValue) -> Bool {
    left.high == right.high ? left.low < right.low : left.high < right.high
  }
}

// Reading UUIDs from text and writing them.

extension UUIDValue: CustomStringConvertible {
  /// The number of bytes that ``write(into:)`` writes.
  public static var textCapacity: Int { @inline(__always) get { 36 } }

  /// The text of ``write(into:)``.
  public var description: String {
    String(unsafeUninitializedCapacity: Self.textCapacity) { buffer in
      buffer.baseAddress.map { write(into: $0) } ?? 0
    }
  }

  /// Reads an identifier as ``init(text:)``.
  public init?(_ text: String) {
    var text = text
    guard let value = text.withUTF8({ UUIDValue(text: $0) }) else { return nil }
    self = value
  }

  /// Reads a whole text of 8-4-4-4-12 hexadecimal digits in either case, or of 32 digits without
  /// hyphens.
  public init?(text bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return nil }
    let second: UInt64
    let third: UInt64
    let last: UnsafePointer<UInt8>
    if bytes.count == 36 {
      let dash = UInt8(ascii: "-")
      guard start[8] == dash, start[13] == dash, start[18] == dash, start[23] == dash else {
        return nil
      }
      second = UInt64(ByteLanes.load4(start + 9)) | UInt64(ByteLanes.load4(start + 14)) &<< 32
      third = UInt64(ByteLanes.load4(start + 19)) | UInt64(ByteLanes.load4(start + 24)) &<< 32
      last = start + 28
    } else if bytes.count == 32 {
      second = ByteLanes.load8(start + 8)
      third = ByteLanes.load8(start + 16)
      last = start + 24
    } else {
      return nil
    }
    guard let a = Self.number(ofHexDigits: ByteLanes.load8(start)),
      let b = Self.number(ofHexDigits: second), let c = Self.number(ofHexDigits: third),
      let d = Self.number(ofHexDigits: ByteLanes.load8(last))
    else { return nil }
    self.init(high: a &<< 32 | b, low: c &<< 32 | d)
  }

  /// Writes 36 bytes, 8-4-4-4-12 digits in lower case (RFC 9562, section 4), and returns 36.
  ///
  /// - Parameter target: Room for ``textCapacity`` bytes.
  public func write(into target: UnsafeMutablePointer<UInt8>) -> Int {
    let second = Self.hexDigits(of: high & 0xFFFF_FFFF)
    let third = Self.hexDigits(of: low &>> 32)
    let dash = UInt8(ascii: "-")
    ByteLanes.store8(Self.hexDigits(of: high &>> 32), into: target)
    target[8] = dash
    ByteLanes.store4(UInt32(truncatingIfNeeded: second), into: target + 9)
    target[13] = dash
    ByteLanes.store4(UInt32(truncatingIfNeeded: second &>> 32), into: target + 14)
    target[18] = dash
    ByteLanes.store4(UInt32(truncatingIfNeeded: third), into: target + 19)
    target[23] = dash
    ByteLanes.store4(UInt32(truncatingIfNeeded: third &>> 32), into: target + 24)
    ByteLanes.store8(Self.hexDigits(of: low & 0xFFFF_FFFF), into: target + 28)
    return 36
  }

  /// Returns the number of eight hexadecimal digits; nil if a lane has another character.
  @inline(__always)
  private static func number(ofHexDigits lanes: UInt64) -> UInt64? {
    guard lanes & ByteLanes.highBits == 0 else { return nil }
    let isDigit = ByteLanes.within(lanes, low: UInt8(ascii: "0"), high: UInt8(ascii: "9"))
    let lowered = lanes | ByteLanes.fill(0x20)
    let isLetter = ByteLanes.within(lowered, low: UInt8(ascii: "a"), high: UInt8(ascii: "f"))
    guard isDigit | isLetter == ByteLanes.highBits else { return nil }
    // The low four bits of a letter count from 1.
    let values = (lanes & ByteLanes.fill(0x0F)) &+ ByteLanes.spread(isLetter, amount: 9)
    let bytes = (values &<< 4 | values &>> 8) & 0x00FF_00FF_00FF_00FF
    let halves = (bytes | bytes &>> 8) & 0x0000_FFFF_0000_FFFF
    return UInt64(UInt32(truncatingIfNeeded: halves | halves &>> 16).byteSwapped)
  }

  /// Returns the eight digits of a number below 2^32, in lower case.
  @inline(__always)
  private static func hexDigits(of number: UInt64) -> UInt64 {
    let swapped = UInt64(UInt32(truncatingIfNeeded: number).byteSwapped)
    let halves = (swapped | swapped &<< 16) & 0x0000_FFFF_0000_FFFF
    let bytes = (halves | halves &<< 8) & 0x00FF_00FF_00FF_00FF
    let values = (bytes &>> 4 & 0x000F_000F_000F_000F) | (bytes & 0x000F_000F_000F_000F) &<< 8
    // Adding 6 sets bit 4 from 10 on; the letters begin 39 after the code that would follow the
    // digits.
    let isLetter = (values &+ ByteLanes.fill(6)) &>> 4 & ByteLanes.fill(1)
    return values &+ ByteLanes.zeros &+ isLetter &* 39
  }
}
