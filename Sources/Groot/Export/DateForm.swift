/// A way of writing dates, in UTC.
enum DateForm: Sendable {
  /// As in `2016-02-07T10:30:00Z`; what is finer than seconds is left out.
  case iso8601
  case unixSeconds
  case unixMilliseconds
  case pattern(DatePattern)

  /// Reads the name of a form, or a pattern.
  ///
  /// - Throws: ``Status/invalidArgument`` for what a pattern cannot have.
  init(_ text: String) throws {
    switch text {
    case "iso8601": self = .iso8601
    case "unixSeconds": self = .unixSeconds
    case "unixMillis": self = .unixMilliseconds
    default: self = .pattern(try DatePattern(text))
    }
  }

  func write(_ date: Timestamp, writer: JSONWriter) {
    switch self {
    case .iso8601:
      let rest = date.microseconds % 1_000_000
      let (whole, overflow) = date.microseconds.subtractingReportingOverflow(
        rest < 0 ? rest + 1_000_000 : rest)
      // The first second there is begins before the first instant: that is written as it is.
      let instant = overflow ? date : Timestamp(microseconds: whole)
      writer.quoted(capacity: Timestamp.textCapacity) { instant.write(into: $0) }
    case .unixSeconds: writer.integer(Self.floorDivide(date.microseconds, divisor: 1_000_000))
    case .unixMilliseconds: writer.integer(Self.floorDivide(date.microseconds, divisor: 1_000))
    case .pattern(let pattern): writer.string(pattern.text(date))
    }
  }

  private static func floorDivide(_ value: Int64, divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
  }
}
