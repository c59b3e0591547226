/// A day of the proleptic Gregorian calendar, without a time or a zone.
///
/// The range is that of the days in which there is a ``Timestamp``: -290308-12-21 to
/// 294247-01-10. The year 0 comes before the year 1.
public struct CalendarDay: Hashable, Sendable {
  /// Days since 1970-01-01; negative before it.
  public let daysSinceEpoch: Int32

  /// Makes a day from the number of days since 1970-01-01; nil out of range.
  public init?(daysSinceEpoch days: Int64) {
    guard Self.range.contains(days) else { return nil }
    self.init(known: days)
  }

  /// Makes a day; nil where the calendar has none, and out of range.
  ///
  /// - Parameters:
  ///   - year: The year, 0 and less before the year 1.
  ///   - month: The month, 1 to 12.
  ///   - day: The day of the month, from 1 on.
  public init?(year: Int, month: Int, day: Int) {
    guard year.magnitude <= Self.largestYear, let month = UInt32(exactly: month),
      let day = UInt32(exactly: day),
      let days = Timestamp.daysSinceEpoch(year: Int64(year), month: month, day: day)
    else { return nil }
    self.init(daysSinceEpoch: days)
  }

  /// The day of an instant in UTC.
  public init(_ date: Timestamp) {
    let days = date.microseconds / Self.microseconds
    self.init(known: date.microseconds % Self.microseconds < 0 ? days &- 1 : days)
  }

  /// A day that is known to be in range.
  @inline(__always)
  init(known days: Int64) { daysSinceEpoch = Int32(truncatingIfNeeded: days) }

  /// Microseconds of a day.
  static let microseconds: Int64 = 86_400_000_000
  /// The days in which there is an instant.
  private static let range: ClosedRange<Int64> =
    (Int64.min / microseconds - 1)...(Int64.max / microseconds)
  /// No year that is further from 0 has an instant.
  private static let largestYear: UInt = 300_000

  /// The year, 0 and less before the year 1.
  public var year: Int { Int(civil.year) }
  /// The month, 1 to 12.
  public var month: Int { Int(civil.month) }
  /// The day of the month, from 1 on.
  public var day: Int { Int(civil.day) }

  @inline(__always)
  var civil: CivilDay { Timestamp.civilDay(daysSinceEpoch: Int64(daysSinceEpoch)) }
}

extension CalendarDay: Comparable {
  /// Whether the left day is the earlier one.
  @inline(__always)
  public static func < (left: CalendarDay, right: CalendarDay) -> Bool {
    left.daysSinceEpoch < right.daysSinceEpoch
  }
}
