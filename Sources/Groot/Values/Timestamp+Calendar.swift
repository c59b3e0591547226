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
