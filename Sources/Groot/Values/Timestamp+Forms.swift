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
