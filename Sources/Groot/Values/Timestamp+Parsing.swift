// Reading instants from ISO 8601 text.

extension Timestamp {
  /// Reads ISO 8601 text in an extended profile of RFC 3339; nil for any other text.
  ///
  /// - Date: `YYYY-MM-DD`, `YYYYMMDD`, or with six digits and a sign `+YYYYYY-MM-DD`.
  /// - Time, after `T`, `t` or a space: `HH:MM`, `HH:MM:SS`, in the basic form `HHMM`, `HHMMSS`;
  ///   date and time in the same form. No time means midnight. `24:00:00` is the next midnight, and
  ///   second 60 of minute 59 is the next second.
  /// - Fraction of a second, after `.` or `,`: any number of digits, cut after the sixth.
  /// - Zone: `Z`, `z`, `+HH:MM`, `+HHMM` or `+HH`. No zone means UTC.
  ///
  /// - Parameter bytes: The text, without anything before or after the date.
  public init?(iso8601 bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress, bytes.count >= 8 else { return nil }
    if bytes.count >= 19, let seconds = Self.secondsOfCommonForm(start) {
      if bytes.count == 20 && start[19] == UInt8(ascii: "Z") {
        microseconds = seconds &* 1_000_000
        return
      }
      var reader = TimestampReader(next: start + 19, end: start + bytes.count)
      guard let value = reader.finish(seconds: seconds) else { return nil }
      microseconds = value
      return
    }
    var reader = TimestampReader(next: start, end: start + bytes.count)
    guard let value = reader.microseconds() else { return nil }
    microseconds = value
  }

  /// Returns the seconds of `YYYY-MM-DDTHH:MM:SS` in the first 19 bytes; nil for any other form.
  ///
  /// Nil also for hour 24 and second 60, which the ``TimestampReader`` reads.
  @inline(__always)
  private static func secondsOfCommonForm(_ start: UnsafePointer<UInt8>) -> Int64? {
    // The exclusive or with the pattern leaves digit values, and zeros for separators.
    let yearMonth = ByteLanes.load8(start) ^ 0x2D30_302D_3030_3030
    let day = ByteLanes.load4(start + 7) ^ 0x5430_302D
    let time = ByteLanes.load8(start + 11) ^ 0x3030_3A30_303A_3030
    // The lane of a separator must be below 1, that of a digit below 10.
    let invalid =
      yearMonth | (yearMonth &+ 0x7F76_767F_7676_7676) | time
      | (time &+ 0x7676_7F76_767F_7676) | UInt64(day | (day &+ 0x7F76_767F))
    guard invalid & ByteLanes.highBits == 0 else { return nil }
    // Each lane becomes ten times itself plus its neighbour: at most 99, so there are no carries.
    let dates = yearMonth &* 10 &+ (yearMonth &>> 8)
    let times = time &* 10 &+ (time &>> 8)
    let dayPair = day &* 10 &+ (day &>> 8)
    let hour = times & 0xFF
    let minute = (times &>> 24) & 0xFF
    let second = (times &>> 48) & 0xFF
    guard hour < 24, minute < 60, second < 60,
      let days = daysSinceEpoch(
        year: Int64((dates & 0xFF) &* 100 &+ ((dates &>> 16) & 0xFF)),
        month: UInt32(truncatingIfNeeded: dates &>> 40) & 0xFF, day: (dayPair &>> 8) & 0xFF)
    else { return nil }
    return days &* 86_400 &+ Int64(hour &* 3_600 &+ minute &* 60 &+ second)
  }
}
