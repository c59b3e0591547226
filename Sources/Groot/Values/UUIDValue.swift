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
