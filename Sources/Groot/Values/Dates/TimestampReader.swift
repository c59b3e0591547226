/// Reads the less common forms of a date from left to right.
///
/// Each step returns nil if the text does not fit; the reader must not be used after that.
struct TimestampReader {
  var next: UnsafePointer<UInt8>
  let end: UnsafePointer<UInt8>
  /// The last day that was read, in days since 1970-01-01.
  private(set) var day: Int64 = 0

  @inline(__always)
  init(next: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) {
    self.next = next
    self.end = end
  }

  /// Reads the whole text, in microseconds since 1970-01-01T00:00:00Z.
  ///
  /// - Parameter isLocal: Whether the zone is read but ignored.
  mutating func microseconds(isLocal: Bool = false) -> Int64? {
    guard let isExtended = date() else { return nil }
    if next == end { return finish(seconds: day &* 86_400) }
    guard take(UInt8(ascii: "T")) || take(UInt8(ascii: "t")) || take(UInt8(ascii: " ")),
      let hour = number(digits: 2), !isExtended || take(UInt8(ascii: ":")),
      let minute = number(digits: 2), minute < 60
    else { return nil }
    var second: Int64 = 0
    let hasSecond = isExtended ? take(UInt8(ascii: ":")) : hasDigit
    if hasSecond {
      guard let read = number(digits: 2), read < 60 || (read == 60 && minute == 59) else {
        return nil
      }
      second = read
    }
    guard hour < 24 || (hour == 24 && minute == 0 && second == 0) else { return nil }
    return finish(
      seconds: day &* 86_400 &+ hour &* 3_600 &+ minute &* 60 &+ second,
      hasFraction: hasSecond, mustBeWhole: hour == 24, isLocal: isLocal)
  }

  /// Reads the text after the seconds: fraction and zone, up to the end of the text.
  ///
  /// - Parameters:
  ///   - seconds: The local time so far, in seconds since 1970-01-01T00:00:00.
  ///   - hasFraction: Whether a fraction is allowed here.
  ///   - mustBeWhole: Whether a fraction other than zero is rejected.
  ///   - isLocal: Whether the zone is ignored.
  mutating func finish(
    seconds: Int64, hasFraction: Bool = true, mustBeWhole: Bool = false, isLocal: Bool = false
  ) -> Int64? {
    var fraction: Int64 = 0
    if hasFraction && (take(UInt8(ascii: ".")) || take(UInt8(ascii: ","))) {
      guard let read = self.fraction(isZero: mustBeWhole) else { return nil }
      fraction = read
    }
    var whole = seconds
    if next < end {
      guard let offset = zone() else { return nil }
      if !isLocal { whole &-= offset }
    }
    guard next == end else { return nil }
    return Timestamp(seconds: whole, fraction: fraction)?.microseconds
  }

  /// Reads the date into ``day`` and returns whether it has hyphens.
  mutating func date() -> Bool? {
    let isNegative = take(UInt8(ascii: "-"))
    let isLong = isNegative || take(UInt8(ascii: "+"))
    guard let year = number(digits: isLong ? 6 : 4), !isNegative || year > 0 else { return nil }
    let isExtended = take(UInt8(ascii: "-"))
    guard isExtended || !isLong, let month = number(digits: 2),
      !isExtended || take(UInt8(ascii: "-")), let day = number(digits: 2),
      let days = Timestamp.daysSinceEpoch(
        year: isNegative ? 0 &- year : year, month: UInt32(truncatingIfNeeded: month),
        day: UInt32(truncatingIfNeeded: day))
    else { return nil }
    self.day = days
    return isExtended
  }

  /// Reads the zone as its offset from UTC in seconds, positive to the east.
  mutating func zone() -> Int64? {
    if take(UInt8(ascii: "Z")) || take(UInt8(ascii: "z")) { return 0 }
    let isWest = take(UInt8(ascii: "-"))
    guard isWest || take(UInt8(ascii: "+")), let hour = number(digits: 2), hour < 24 else {
      return nil
    }
    var minute: Int64 = 0
    if take(UInt8(ascii: ":")) || hasDigit {
      guard let read = number(digits: 2), read < 60 else { return nil }
      minute = read
    }
    let distance = hour &* 3_600 &+ minute &* 60
    return isWest ? 0 &- distance : distance
  }

  /// Reads the fraction in microseconds, cut after six digits; with `isZero`, nil unless all digits
  /// are 0.
  private mutating func fraction(isZero: Bool) -> Int64? {
    guard hasDigit else { return nil }
    var value: Int64 = 0
    var weight: Int64 = 100_000
    while hasDigit {
      let digit = next.pointee &- UInt8(ascii: "0")
      if isZero && digit != 0 { return nil }
      value &+= Int64(digit) &* weight
      weight /= 10
      next += 1
    }
    return value
  }

  private var hasDigit: Bool {
    @inline(__always) get { next < end && next.pointee &- UInt8(ascii: "0") < 10 }
  }

  /// Skips a byte if it is next.
  @inline(__always)
  mutating func take(_ byte: UInt8) -> Bool {
    guard next < end, next.pointee == byte else { return false }
    next += 1
    return true
  }

  /// Reads a fixed number of digits; further digits are left to the next step.
  @inline(__always)
  mutating func number(digits count: Int) -> Int64? {
    guard end - next >= count else { return nil }
    var value: Int64 = 0
    for index in 0..<count {
      let digit = next[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value &* 10 &+ Int64(digit)
    }
    next += count
    return value
  }
}
