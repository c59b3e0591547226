// Reading dates and days in common forms, and times since 1970.

extension Conversion {
  static func readAnyDate(_ token: JSONToken, into result: inout StoredValue)
    -> ConversionFailure
  {
    if token.kind != .string { return readSinceEpoch(token, into: &result) }
    guard let date = Timestamp(anyForm: token.bytes) else { return .form }
    result = StoredValue(word: UInt64(bitPattern: date.microseconds))
    return .none
  }

  static func readAnyDay(_ token: JSONToken, into result: inout StoredValue)
    -> ConversionFailure
  {
    if token.kind == .string {
      guard let day = CalendarDay(anyForm: token.bytes) else { return .form }
      result = StoredValue(day)
      return .none
    }
    let conversionFailure = readSinceEpoch(token, into: &result)
    guard conversionFailure == .none else { return conversionFailure }
    result = StoredValue(CalendarDay(Timestamp(microseconds: result.integer)))
    return .none
  }

  private static func readSinceEpoch(_ token: JSONToken, into result: inout StoredValue)
    -> ConversionFailure
  {
    let date: Timestamp?
    switch token.kind {
    case .integer: date = Timestamp(sinceEpoch: token.integer)
    case .real: date = Timestamp(sinceEpoch: token.real)
    case .largeNumber: date = nil
    default: return .type
    }
    guard let date else { return .range }
    result = StoredValue(word: UInt64(bitPattern: date.microseconds))
    return .none
  }

  static func readUnix(
    _ token: JSONToken, conversion: Conversion, into result: inout StoredValue
  ) -> ConversionFailure {
    let scale: Int64 = conversion == .unixSeconds ? 1_000_000 : 1_000
    switch token.kind {
    case .integer:
      let (microseconds, overflow) = token.integer.multipliedReportingOverflow(by: scale)
      guard !overflow else { return .range }
      result = StoredValue(word: UInt64(bitPattern: microseconds))
    case .real:
      guard let microseconds = Int64(exactly: (token.real * Double(scale)).rounded()) else {
        return .range
      }
      result = StoredValue(word: UInt64(bitPattern: microseconds))
    case .largeNumber: return .range
    default: return .type
    }
    return .none
  }

  /// Converts text that may be a day with a time.
  ///
  /// - Parameter cutsTime: Whether a time other than midnight is cut; otherwise it does not fit.
  static func readDay(
    _ bytes: UnsafeBufferPointer<UInt8>, cutsTime: Bool, into result: inout StoredValue
  ) -> ConversionFailure {
    var isMidnight = false
    guard let day = CalendarDay(dateTime: bytes, isMidnight: &isMidnight),
      isMidnight || cutsTime
    else { return .form }
    result = StoredValue(day)
    return .none
  }
}
