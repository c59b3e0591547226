/// A day of the proleptic Gregorian calendar, without a time or a zone.
///
/// The range is that of the days with a ``Timestamp``: -290308-12-21 to 294247-01-10. The year 0 is
/// before the year 1.
public struct CalendarDay: Hashable, Sendable {
  /// Days since 1970-01-01; negative before it.
  public let daysSinceEpoch: Int32

  /// Makes a day from the number of days since 1970-01-01; nil if out of range.
  public init?(daysSinceEpoch days: Int64) {
    guard Self.range.contains(days) else { return nil }
    self.init(known: days)
  }

  /// Makes a day; nil if the calendar does not have it, or if out of range.
  ///
  /// - Parameters:
  ///   - year: The year; 0 is the year before 1.
  ///   - month: The month, 1 to 12.
  ///   - day: The day of the month, from 1 on.
  public init?(year: Int, month: Int, day: Int) {
    guard year.magnitude <= Self.largestYear, let month = UInt32(exactly: month),
      let day = UInt32(exactly: day),
      let days = Timestamp.daysSinceEpoch(year: Int64(year), month: month, day: day)
    else { return nil }
    self.init(daysSinceEpoch: days)
  }

  /// Makes the day of an instant in UTC.
  public init(_ date: Timestamp) {
    let days = date.microseconds / Self.microseconds
    self.init(known: date.microseconds % Self.microseconds < 0 ? days &- 1 : days)
  }

  /// Makes a day that is known to be in range.
  @inline(__always)
  init(known days: Int64) { daysSinceEpoch = Int32(truncatingIfNeeded: days) }

  /// The number of microseconds of a day.
  static let microseconds: Int64 = 86_400_000_000
  /// The days with an instant.
  private static let range: ClosedRange<Int64> =
    (Int64.min / microseconds - 1)...(Int64.max / microseconds)
  /// The greatest magnitude of a year to check: years beyond it have no instants.
  private static let largestYear: UInt = 300_000

  /// The year; 0 is the year before 1.
  public var year: Int { Int(civil.year) }
  /// The month, 1 to 12.
  public var month: Int { Int(civil.month) }
  /// The day of the month, from 1 on.
  public var day: Int { Int(civil.day) }

  @inline(__always)
  var civil: CivilDay { Timestamp.civilDay(daysSinceEpoch: Int64(daysSinceEpoch)) }
}

extension CalendarDay: Comparable {
  /// Returns whether the left day is earlier.
  @inline(__always)
  public static func < (left: CalendarDay, right: CalendarDay) -> Bool {
    left.daysSinceEpoch < right.daysSinceEpoch
  }
}
