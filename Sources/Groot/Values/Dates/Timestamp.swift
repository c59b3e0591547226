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

/// A day of the proleptic Gregorian calendar, which has a year 0.
struct CivilDay: Equatable {
  var year: Int32
  var month: UInt32
  var day: UInt32
}

extension Timestamp {
  /// The number of days from 0000-03-01 to 1970-01-01.
  private static var epochFromMarch: Int64 { @inline(__always) get { 719_468 } }
  /// The number of days in 400 years, after which the calendar repeats.
  private static var daysPerCycle: Int64 { @inline(__always) get { 146_097 } }

  @inline(__always)
  static func isLeap(year: Int64) -> Bool {
    // A multiple of 100 is a multiple of 400 exactly if it is a multiple of 16.
    year & (year % 100 == 0 ? 15 : 3) == 0
  }

  /// Returns the number of days in a month; `month` is 1...12.
  @inline(__always)
  static func daysInMonth(_ month: UInt32, year: Int64) -> UInt32 {
    // July and August both have 31 days: from August on, the parity is reversed.
    month == 2 ? (isLeap(year: year) ? 29 : 28) : 30 | (month ^ (month &>> 3))
  }

  /// Returns the days since 1970-01-01, or nil for an invalid day; years -999999...999999.
  ///
  /// It counts in years that begin in March, so that the leap day is the last of a year.
  @inline(__always)
  static func daysSinceEpoch(year: Int64, month: UInt32, day: UInt32) -> Int64? {
    guard month &- 1 < 12, day &- 1 < 28 || day &- 1 < daysInMonth(month, year: year) else {
      return nil
    }
    // 2,500 cycles of 400 years make all years positive, so that division rounds down.
    let early = month <= 2
    let marchYear = UInt32(truncatingIfNeeded: year &+ (early ? 999_999 : 1_000_000))
    let marchMonth = early ? month &+ 9 : month &- 3
    let century = marchYear / 100
    let daysBefore = marchYear &* 365 &+ marchYear / 4 &- century &+ century / 4
    let dayOfYear = (marchMonth &* 153 &+ 2) / 5 &+ day &- 1
    return Int64(daysBefore &+ dayOfYear) &- (2_500 &* daysPerCycle &+ epochFromMarch)
  }

  /// Makes the day `days` after 1970-01-01, for all days that fit an `Int64` of microseconds.
  ///
  /// Method: Neri and Schneider, "Euclidean affine functions and their application to calendar
  /// algorithms" (2022): divisions by 146,097, 1,461 and 153 become multiplications.
  @inline(__always)
  static func civilDay(daysSinceEpoch days: Int64) -> CivilDay {
    // 750 cycles make all days of the range positive; four times the result is below 2^32.
    let fromMarch = UInt32(
      truncatingIfNeeded: days &+ (750 &* daysPerCycle &+ epochFromMarch))
    let quarters = fromMarch &* 4 &+ 3
    let century = quarters / 146_097
    let dayOfCentury = (quarters &- century &* 146_097) / 4
    let scaled = UInt64(dayOfCentury &* 4 &+ 3) &* 2_939_745
    let yearOfCentury = UInt32(truncatingIfNeeded: scaled &>> 32)
    let dayOfYear = UInt32(truncatingIfNeeded: scaled) / 2_939_745 / 4
    let monthAndDay = dayOfYear &* 2_141 &+ 197_913
    let month = monthAndDay &>> 16
    let day = (monthAndDay & 0xFFFF) / 2_141 &+ 1
    let wraps = dayOfYear >= 306
    let year = Int32(truncatingIfNeeded: century &* 100 &+ yearOfCentury) &- 300_000
    return CivilDay(
      year: wraps ? year &+ 1 : year, month: wraps ? month &- 12 : month, day: day)
  }
}

// Writing instants as ISO 8601 text.

extension Timestamp {
  /// The number of bytes that ``write(into:)`` needs; bytes after the text are undefined.
  public static var textCapacity: Int { @inline(__always) get { 32 } }

  /// Writes the instant in UTC, such as `2016-02-07T10:30:00Z`, with a fraction such as `.250` or
  /// `.250001`.
  ///
  /// Years outside 0000...9999 are written as `+012345` and `-000001` (ISO 8601, expanded form).
  ///
  /// - Parameter target: Room for ``textCapacity`` bytes.
  /// - Returns: The length of the text.
  public func write(into target: UnsafeMutablePointer<UInt8>) -> Int {
    var seconds = microseconds / 1_000_000
    var fraction = microseconds &- seconds &* 1_000_000
    if fraction < 0 {
      fraction &+= 1_000_000
      seconds &-= 1
    }
    // The shift by 2^28 days keeps the dividend positive, so that division rounds down.
    let shifted = UInt64(truncatingIfNeeded: seconds &+ 86_400 &<< 28)
    let shiftedDays = shifted / 86_400
    let secondOfDay = UInt32(truncatingIfNeeded: shifted &- shiftedDays &* 86_400)
    let date = Self.civilDay(
      daysSinceEpoch: Int64(truncatingIfNeeded: shiftedDays) &- 1 &<< 28)

    let yearSize = Self.writeYearAndMonth(date, target: target)
    let text = target + yearSize
    let hour = secondOfDay / 3_600
    let ofHour = secondOfDay &- hour &* 3_600
    let minute = ofHour / 60
    let times = UInt64(date.day) | (UInt64(hour) &<< 24) | (UInt64(minute) &<< 48)
    ByteLanes.store8(
      ByteLanes.digitValues(ofPairs: times, tens: 0x000F_0000_0F00_000F)
        | 0x3030_3A30_3054_3030, into: text + 8)
    let second = UInt64(ofHour &- minute &* 60) &<< 8
    let ending = ByteLanes.digitValues(ofPairs: second, tens: 0x0F00)
    ByteLanes.store4(UInt32(truncatingIfNeeded: ending) | 0x5A30_303A, into: text + 16)
    guard fraction != 0 else { return yearSize &+ 20 }
    return yearSize &+ Self.writeFraction(UInt64(truncatingIfNeeded: fraction), target: text + 19)
  }

  /// Writes `YYYY-MM-`, or the year with a sign and six digits, and returns the number of bytes
  /// beyond eight.
  @inline(__always)
  static func writeYearAndMonth(_ date: CivilDay, target: UnsafeMutablePointer<UInt8>) -> Int {
    let isPlainYear = UInt32(bitPattern: date.year) < 10_000
    let yearSize = isPlainYear ? 0 : writeLongYear(date.year, target: target)
    let text = target + yearSize
    let year = UInt64(date.year.magnitude % 10_000)
    let century = year / 100
    let dates = century | ((year &- century &* 100) &<< 16) | (UInt64(date.month) &<< 40)
    if isPlainYear {
      ByteLanes.store8(
        ByteLanes.digitValues(ofPairs: dates, tens: 0x0000_0F00_000F_000F)
          | 0x2D30_302D_3030_3030, into: text)
    } else {
      // A long year is already written: only `-MM-` is missing.
      let lanes = ByteLanes.digitValues(ofPairs: dates, tens: 0x0000_0F00_0000_0000)
      ByteLanes.store4(UInt32(truncatingIfNeeded: lanes &>> 32) | 0x2D30_302D, into: text + 4)
    }
    return yearSize
  }

  /// Writes `.ddd` or `.dddddd` and `Z`; returns the length from the beginning of the date.
  @inline(__always)
  private static func writeFraction(
    _ fraction: UInt64, target: UnsafeMutablePointer<UInt8>
  ) -> Int {
    // The first two of the eight digits are 0: one is dropped, and the point replaces the other.
    let digits = (ByteLanes.digitValues(of: fraction) | ByteLanes.zeros) &>> 8
    let point = UInt64(UInt8(ascii: ".")) | UInt64(UInt8(ascii: "Z")) &<< 56
    ByteLanes.store8((digits & ~0xFF) | point, into: target)
    guard fraction % 1_000 == 0 else { return 27 }
    target[4] = UInt8(ascii: "Z")
    return 24
  }

  /// Writes a sign and six digits and returns the number of bytes beyond those of `YYYY`.
  private static func writeLongYear(_ year: Int32, target: UnsafeMutablePointer<UInt8>) -> Int {
    let digits = ByteLanes.digitValues(of: UInt64(year.magnitude)) | ByteLanes.zeros
    // The first two of the eight digits are 0; the sign replaces the second.
    ByteLanes.store8(digits &>> 8, into: target)
    target[0] = year < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+")
    return 3
  }
}

// Dates in common forms: ISO 8601, or a time since 1970 in seconds, milliseconds, microseconds or
// nanoseconds, distinguished by its size.

extension Timestamp {
  /// Reads text that is a date in ISO 8601 with hyphens, or a number; nil for any other text.
  @inline(__always)
  init?(anyForm bytes: UnsafeBufferPointer<UInt8>) {
    if Self.isDate(bytes), Self.isClockTime(bytes),
      let date = Timestamp(iso8601: bytes)
    {
      self = date
      return
    }
    guard let date = Self.sinceEpoch(bytes) else { return nil }
    self = date
  }

  /// Returns whether text can be a date instead of a number: only dates have a hyphen after the
  /// fourth digit.
  @inline(__always)
  fileprivate static func isDate(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.count > 9 && bytes[4] == UInt8(ascii: "-")
  }

  /// Returns whether an hour, if there is one, is below 24, unlike the 24:00 of ISO 8601.
  @inline(__always)
  fileprivate static func isClockTime(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.count < 13 || bytes[11] != UInt8(ascii: "2") || bytes[12] != UInt8(ascii: "4")
  }

  /// Makes an instant from a whole number since 1970, in seconds or a fraction of them, by its
  /// size.
  init(sinceEpoch number: Int64) {
    if number.magnitude >= Self.nanosecondLimit {
      self.init(microseconds: Self.floorDivide(number, divisor: 1_000))
    } else {
      // At most 10^17, because the size determines the unit.
      self.init(microseconds: number &* Self.unit(number.magnitude))
    }
  }

  /// Makes an instant from a number with a fraction, as exactly as possible; nil if out of range.
  init?(sinceEpoch number: Double) {
    guard number.magnitude < 1e19 else { return nil }
    let size = UInt64(number.magnitude)
    let scaled =
      size >= Self.nanosecondLimit ? number / 1_000 : number * Double(Self.unit(size))
    // Rounding may make a product miss a whole number.
    let nearest = scaled.rounded()
    let whole = (scaled - nearest).magnitude < 1e-3 ? nearest : scaled.rounded(.down)
    guard let microseconds = Int64(exactly: whole) else { return nil }
    self.init(microseconds: microseconds)
  }

  private static var nanosecondLimit: UInt64 { 100_000_000_000_000_000 }

  /// Returns the microseconds of the unit for a number of this size.
  private static func unit(_ size: UInt64) -> Int64 {
    if size < 100_000_000_000 { return 1_000_000 }
    return size < 100_000_000_000_000 ? 1_000 : 1
  }

  private static func floorDivide(_ value: Int64, divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
  }

  /// Reads an optional sign, digits and an optional fraction; digits below microseconds are cut.
  fileprivate static func sinceEpoch(_ bytes: UnsafeBufferPointer<UInt8>) -> Timestamp? {
    var index = 0
    let isNegative = bytes.first == Byte.minus
    if isNegative { index = 1 }
    var whole: Int64 = 0
    let start = index
    while index < bytes.count, Byte.isDigit(bytes[index]) {
      let (tens, isLarge) = whole.multipliedReportingOverflow(by: 10)
      let (sum, isLarger) = tens.addingReportingOverflow(Int64(bytes[index] &- 0x30))
      if isLarge || isLarger { return nil }
      whole = sum
      index += 1
    }
    guard index > start else { return nil }
    let isNanoseconds = whole.magnitude >= nanosecondLimit
    var weight = isNanoseconds ? 0 : unit(whole.magnitude)
    var microseconds = isNanoseconds ? whole / 1_000 : whole &* weight
    // Whether digits are cut: dates before 1970 are cut towards the past as well.
    var isCut = isNanoseconds && whole % 1_000 != 0
    if index < bytes.count {
      guard bytes[index] == UInt8(ascii: "."), index + 1 < bytes.count else { return nil }
      index += 1
    }
    while index < bytes.count {
      guard Byte.isDigit(bytes[index]) else { return nil }
      let digit = Int64(bytes[index] &- 0x30)
      weight /= 10
      if weight == 0 && digit > 0 { isCut = true }
      microseconds += digit * weight
      index += 1
    }
    guard isNegative else { return Timestamp(microseconds: microseconds) }
    return Timestamp(microseconds: isCut ? -1 - microseconds : 0 - microseconds)
  }
}

extension CalendarDay {
  /// Reads the day of a date for ``Timestamp/init(anyForm:)``: the written day, or that of a number
  /// in UTC.
  init?(anyForm bytes: UnsafeBufferPointer<UInt8>) {
    var isMidnight = false
    // A year with a sign has six digits, and a number never has a hyphen after them.
    let isLong = bytes.count > 12 && bytes[7] == Byte.minus
    if isLong || (Timestamp.isDate(bytes) && Timestamp.isClockTime(bytes)),
      let day = CalendarDay(dateTime: bytes, isMidnight: &isMidnight)
    {
      self = day
      return
    }
    guard let date = Timestamp.sinceEpoch(bytes) else { return nil }
    self.init(date)
  }
}

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
