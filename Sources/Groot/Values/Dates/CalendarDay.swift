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

// Days as text, such as `1968-03-01`.

extension CalendarDay {
  /// Reads `YYYY-MM-DD`, `YYYYMMDD`, or with six digits and a sign `+YYYYYY-MM-DD`; nil for any
  /// other text.
  public init?(_ text: String) {
    var text = text
    guard let day = text.withUTF8({ CalendarDay(iso8601: $0) }) else { return nil }
    self = day
  }

  /// Reads bytes as ``init(_:)-(String)``.
  ///
  /// - Parameter bytes: The text, without anything before or after the day.
  public init?(iso8601 bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return nil }
    var reader = TimestampReader(next: start, end: start + bytes.count)
    guard reader.date() != nil, reader.next == reader.end else { return nil }
    self.init(daysSinceEpoch: reader.day)
  }

  /// Reads the day of a date with a time, in any form that ``Timestamp`` reads; nil for any other
  /// text.
  ///
  /// It is the written day, regardless of the zone.
  ///
  /// - Parameter isMidnight: Is set to whether the time is midnight, so that only the zone is lost.
  init?(dateTime bytes: UnsafeBufferPointer<UInt8>, isMidnight: inout Bool) {
    guard let start = bytes.baseAddress else { return nil }
    var reader = TimestampReader(next: start, end: start + bytes.count)
    guard let local = reader.microseconds(isLocal: true),
      let day = CalendarDay(daysSinceEpoch: reader.day)
    else { return nil }
    let isSameDay = CalendarDay(Timestamp(microseconds: local)) == day
    isMidnight = isSameDay && local % Self.microseconds == 0
    self = day
  }

  /// The number of bytes that ``write(into:)`` needs; bytes after the text are undefined.
  public static var textCapacity: Int { @inline(__always) get { 16 } }

  /// Writes the day, such as `1968-03-01`; years outside 0000...9999 as `+012345` and `-000001`
  /// (ISO 8601, expanded form).
  ///
  /// - Parameter target: Room for ``textCapacity`` bytes.
  /// - Returns: The length of the text.
  public func write(into target: UnsafeMutablePointer<UInt8>) -> Int {
    let civil = civil
    let yearSize = Timestamp.writeYearAndMonth(civil, target: target)
    let tens = civil.day / 10
    target[yearSize &+ 8] = UInt8(truncatingIfNeeded: 0x30 &+ tens)
    target[yearSize &+ 9] = UInt8(truncatingIfNeeded: 0x30 &+ civil.day &- tens &* 10)
    return yearSize &+ 10
  }
}

extension CalendarDay: CustomStringConvertible {
  /// The text of ``write(into:)``, such as `1968-03-01`.
  public var description: String {
    String(unsafeUninitializedCapacity: Self.textCapacity) { buffer in
      buffer.baseAddress.map { write(into: $0) } ?? 0
    }
  }
}
