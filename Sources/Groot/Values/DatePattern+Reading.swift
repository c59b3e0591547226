// Reading dates with a pattern: the whole text, without contradictions.

extension DatePattern {
  /// Reads text as an instant.
  ///
  /// A pattern without a zone means UTC, and one without a time means midnight. Nil if the text
  /// does not match, or is not a date.
  func date(_ text: UnsafeBufferPointer<UInt8>) -> Timestamp? {
    guard let fields = fields(text), let day = fields.calendarDay, let second = fields.secondOfDay
    else { return nil }
    return Timestamp(
      seconds: day &* 86_400 &+ second &- (fields.offset ?? 0), fraction: fields.fraction ?? 0)
  }

  /// Reads text as a day; nil if the text does not match, or is not a day.
  func day(_ text: UnsafeBufferPointer<UInt8>) -> CalendarDay? {
    fields(text)?.calendarDay.flatMap { CalendarDay(daysSinceEpoch: $0) }
  }

  private func fields(_ text: UnsafeBufferPointer<UInt8>) -> DateFields? {
    guard let start = text.baseAddress else { return nil }
    var reader = TimestampReader(next: start, end: start + text.count)
    var fields = DateFields()
    return literals.withUnsafeBufferPointer { literals in
      for part in parts {
        if part.letter != 0 {
          guard fields.read(part, &reader) else { return nil }
        } else {
          let literal = literals[part.start..<part.start + part.count]
          guard reader.take(UnsafeBufferPointer(rebasing: literal)) else { return nil }
        }
      }
      return reader.next == reader.end ? fields : nil
    }
  }
}

/// The fields of a date in a text.
private struct DateFields {
  var year: Int64?
  /// The last two digits of the year.
  var shortYear: Int64?
  var month: Int64?
  var day: Int64?
  var weekday: Int64?
  var hour: Int64?
  /// The hour on a 12-hour clock, 0 to 11.
  var shortHour: Int64?
  /// 0 for AM, 1 for PM.
  var half: Int64?
  var minute: Int64?
  var second: Int64?
  /// The fraction in microseconds, with the digits of the longest one.
  var fraction: Int64?
  /// The microseconds of the last digit, a power of ten.
  private var fractionUnit: Int64 = 1_000_000
  /// The zone's offset from UTC in seconds, positive to the east.
  var offset: Int64?

  /// Sets a field; returns false without a value, or if the field has another value.
  private static func set(_ field: inout Int64?, to value: Int64?) -> Bool {
    guard let value else { return false }
    if let before = field { return before == value }
    field = value
    return true
  }

  /// Reads a field of a pattern.
  mutating func read(_ part: DatePattern.Part, _ reader: inout TimestampReader) -> Bool {
    switch part.letter {
    case UInt8(ascii: "y"):
      if part.count == 2 { return Self.set(&shortYear, to: reader.number(digits: 2)) }
      return Self.set(&year, to: reader.year(part))
    case UInt8(ascii: "M"):
      let found =
        part.count <= 2
        ? reader.number(part) : reader.name(DatePattern.monthNames, part).map { $0 &+ 1 }
      return Self.set(&month, to: found)
    case UInt8(ascii: "d"): return Self.set(&day, to: reader.number(part))
    case UInt8(ascii: "E"):
      return Self.set(&weekday, to: reader.name(DatePattern.dayNames, part))
    case UInt8(ascii: "H"): return Self.set(&hour, to: reader.number(part))
    case UInt8(ascii: "h"):
      guard let found = reader.number(part), found > 0, found <= 12 else { return false }
      return Self.set(&shortHour, to: found % 12)
    case UInt8(ascii: "a"): return Self.set(&half, to: reader.half())
    case UInt8(ascii: "m"): return Self.set(&minute, to: reader.number(part))
    case UInt8(ascii: "s"): return Self.set(&second, to: reader.number(part))
    case UInt8(ascii: "S"):
      return reader.number(digits: part.count).map {
        setFraction($0, digits: part.count)
      } ?? false
    default: return Self.set(&offset, to: reader.zone())
    }
  }

  /// Sets the fraction; returns false if a shorter one is not the beginning of the longer one.
  private mutating func setFraction(_ value: Int64, digits: Int) -> Bool {
    var unit: Int64 = 1
    for _ in digits..<6 { unit = unit &* 10 }
    let found = value &* unit
    let before = fraction ?? 0
    let shared = max(unit, fractionUnit)
    guard found / shared == before / shared else { return false }
    if unit < fractionUnit { (fraction, fractionUnit) = (found, unit) }
    return true
  }

  /// The day, in days since 1970-01-01; nil for an invalid day, or if the day of the week differs.
  var calendarDay: Int64? {
    guard let month, let day, let year = fullYear,
      let days = Timestamp.daysSinceEpoch(
        year: year, month: UInt32(truncatingIfNeeded: month), day: UInt32(truncatingIfNeeded: day))
    else { return nil }
    // 1970-01-01 was a Thursday; 700,000,000 days are whole weeks.
    if let weekday, (days &+ 700_000_004) % 7 != weekday { return nil }
    return days
  }

  /// The full year; two digits mean 1969 to 2068, as in POSIX.
  private var fullYear: Int64? {
    guard let shortYear else { return year }
    guard let year else { return shortYear &+ (shortYear < 69 ? 2000 : 1900) }
    return (year < 0 ? 0 &- year : year) % 100 == shortYear ? year : nil
  }

  /// The second of the day; second 60 of minute 59 is the next second.
  var secondOfDay: Int64? {
    var hour = hour
    if let shortHour {
      guard let half, Self.set(&hour, to: half &* 12 &+ shortHour) else { return nil }
    }
    let (hours, minute, second) = (hour ?? 0, minute ?? 0, second ?? 0)
    guard hours < 24, half.map({ $0 == hours / 12 }) ?? true, minute < 60,
      second < 60 || (second == 60 && minute == 59)
    else { return nil }
    return hours &* 3_600 &+ minute &* 60 &+ second
  }
}

extension TimestampReader {
  /// Skips text if it is next.
  fileprivate mutating func take(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = text.baseAddress, end - next >= text.count,
      ByteComparison.areEqual(next, start, count: text.count)
    else { return false }
    next += text.count
    return true
  }

  /// Reads a number of one or two digits, or of two if the letter is doubled.
  fileprivate mutating func number(_ part: DatePattern.Part) -> Int64? {
    if part.count == 2 { return number(digits: 2) }
    return number(digits: 2) ?? number(digits: 1)
  }

  /// Reads a year of four digits, or of up to six if no digit follows; `y` accepts fewer, too.
  fileprivate mutating func year(_ part: DatePattern.Part) -> Int64? {
    let isNegative = take(Byte.minus)
    var count = 4
    if !part.precedesNumber {
      count = 0
      while count < 6, next + count < end, Byte.isDigit(next[count]) { count += 1 }
      // More than four digits must not have a leading zero.
      if count < part.count || (count > 4 && next.pointee == UInt8(ascii: "0")) { return nil }
    }
    guard let year = number(digits: count), !isNegative || year > 0 else { return nil }
    return isNegative ? 0 &- year : year
  }

  /// Reads one of the names, ignoring case, and returns its position.
  fileprivate mutating func name(_ names: [StaticString], _ part: DatePattern.Part) -> Int64? {
    for (index, name) in names.enumerated() {
      let isShort = part.count == DatePattern.shortName
      let count = isShort ? DatePattern.shortName : name.utf8CodeUnitCount
      guard end - next >= count else { continue }
      let isThere = (0..<count).allSatisfy { next[$0] | 0x20 == name.utf8Start[$0] | 0x20 }
      if isThere {
        next += count
        return Int64(index)
      }
    }
    return nil
  }

  /// Reads AM or PM, ignoring case, as 0 or 1.
  fileprivate mutating func half() -> Int64? {
    guard end - next >= 2, next[1] | 0x20 == UInt8(ascii: "m") else { return nil }
    let letter = next[0] | 0x20
    guard letter == UInt8(ascii: "a") || letter == UInt8(ascii: "p") else { return nil }
    next += 2
    return letter == UInt8(ascii: "a") ? 0 : 1
  }
}
