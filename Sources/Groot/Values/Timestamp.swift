/// An instant: microseconds since 1970-01-01T00:00:00Z in the proleptic Gregorian calendar.
///
/// Leap seconds are not counted, as in POSIX time. The range is the years -290308 to 294247.
public struct Timestamp: Hashable, Sendable {
  /// Microseconds since 1970-01-01T00:00:00Z; negative before it.
  public var microseconds: Int64

  /// Makes an instant from microseconds since 1970-01-01T00:00:00Z.
  @inline(__always)
  public init(microseconds: Int64) { self.microseconds = microseconds }

  /// Makes an instant from whole seconds since 1970-01-01T00:00:00Z and microseconds after them;
  /// nil if out of range.
  @inline(__always)
  init?(seconds: Int64, fraction: Int64) {
    var (seconds, fraction) = (seconds, fraction)
    if seconds < 0 && fraction > 0 {
      // The first second begins before the range: the sum is in range, but the product is not.
      seconds &+= 1
      fraction &-= 1_000_000
    }
    let (product, isTooFar) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let (sum, isOutside) = product.addingReportingOverflow(fraction)
    if isTooFar || isOutside { return nil }
    microseconds = sum
  }

  /// Reads ISO 8601 text in the forms of ``init(iso8601:)``; nil for any other text.
  public init?(_ text: String) {
    var text = text
    guard let value = text.withUTF8({ Timestamp(iso8601: $0) }) else { return nil }
    self = value
  }
}

extension Timestamp: Comparable {
  /// Returns whether the left instant is earlier.
  @inline(__always)
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.microseconds < right.microseconds
  }
}

extension Timestamp: CustomStringConvertible {
  /// The text of ``write(into:)`` in UTC, such as `2016-02-07T10:30:00Z`.
  public var description: String {
    String(unsafeUninitializedCapacity: Self.textCapacity) { buffer in
      buffer.baseAddress.map { write(into: $0) } ?? 0
    }
  }
}
