/// A format for reading and writing dates; they are written in UTC.
enum DateForm: Sendable {
  /// ISO 8601, such as `2016-02-07T10:30:00Z`, written without fractions of a second.
  case iso8601
  case unixSeconds
  case unixMilliseconds
  case pattern(DatePattern)

  /// Reads the name of a format, or a pattern.
  ///
  /// - Throws: ``Status/invalidArgument`` for an invalid pattern.
  init(_ text: String) throws {
    switch text {
    case "iso8601": self = .iso8601
    case "unixSeconds": self = .unixSeconds
    case "unixMillis": self = .unixMilliseconds
    default: self = .pattern(try DatePattern(text))
    }
  }

  /// Whether dates are numbers.
  var isNumber: Bool {
    switch self {
    case .unixSeconds, .unixMilliseconds: true
    case .iso8601, .pattern: false
    }
  }

  // MARK: Writing

  func write(_ date: Timestamp, writer: JSONWriter) {
    switch self {
    case .iso8601:
      let rest = date.microseconds % 1_000_000
      let (whole, overflow) = date.microseconds.subtractingReportingOverflow(
        rest < 0 ? rest + 1_000_000 : rest)
      // The first second begins before the first instant, which is written unchanged.
      let instant = overflow ? date : Timestamp(microseconds: whole)
      writer.quoted(capacity: Timestamp.textCapacity) { instant.write(into: $0) }
    case .unixSeconds: writer.integer(Self.floorDivide(date.microseconds, divisor: 1_000_000))
    case .unixMilliseconds: writer.integer(Self.floorDivide(date.microseconds, divisor: 1_000))
    case .pattern(let pattern): writer.string(pattern.text(date))
    }
  }

  func write(_ day: CalendarDay, writer: JSONWriter) {
    let seconds = Int64(day.daysSinceEpoch) * 86_400
    switch self {
    case .iso8601: writer.quoted(capacity: CalendarDay.textCapacity) { day.write(into: $0) }
    case .unixSeconds: writer.integer(seconds)
    case .unixMilliseconds: writer.integer(seconds * 1_000)
    case .pattern(let pattern): writer.string(pattern.text(day))
    }
  }

  private static func floorDivide(_ value: Int64, divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
  }

  // MARK: Reading

  /// Reads a date or a day; the day of a number is that in UTC.
  ///
  /// - Parameter type: ``AttributeType/date`` or ``AttributeType/day``.
  func read(
    _ token: JSONToken, as type: AttributeType, into result: inout StoredValue
  ) -> ConversionFailure {
    switch self {
    case .unixSeconds, .unixMilliseconds:
      let isSeconds = if case .unixSeconds = self { true } else { false }
      let conversionFailure = Conversion.readUnix(
        token, conversion: isSeconds ? .unixSeconds : .unixMilliseconds, into: &result)
      if conversionFailure == .none && type == .day {
        result = StoredValue(CalendarDay(Timestamp(microseconds: result.integer)))
      }
      return conversionFailure
    case .iso8601, .pattern:
      guard token.kind == .string else { return .type }
      if type == .day {
        guard let day = day(token.bytes) else { return .form }
        result = StoredValue(day)
      } else {
        guard let date = date(token.bytes) else { return .form }
        result = StoredValue(word: UInt64(bitPattern: date.microseconds))
      }
      return .none
    }
  }

  private func date(_ text: UnsafeBufferPointer<UInt8>) -> Timestamp? {
    if case .pattern(let pattern) = self { pattern.date(text) } else { Timestamp(iso8601: text) }
  }

  private func day(_ text: UnsafeBufferPointer<UInt8>) -> CalendarDay? {
    if case .pattern(let pattern) = self { pattern.day(text) } else { CalendarDay(iso8601: text) }
  }
}
