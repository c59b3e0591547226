/// A pattern of dates in the notation of Unicode's date fields (UTS 35), in English.
///
/// | letters | meaning |
/// |---|---|
/// | `yyyy`, `yy`, `y` | year with four digits, its last two digits, as many digits as needed |
/// | `MM`, `M`, `MMM`, `MMMM` | month as a number, a short name or a full name |
/// | `dd`, `d` | day of the month |
/// | `EEE`, `EEEE` | day of the week, short or in full |
/// | `HH`, `H`, `hh`, `h`, `a` | hour of 24 or 12, and AM or PM |
/// | `mm`, `m`, `ss`, `s` | minute, second |
/// | `S` to `SSSSSS` | fraction of the second, cut |
/// | `X`, `XX`, `XXX` | the zone, written `Z` |
/// | `Z`, `ZZZZZ` | the zone, written `+0000` or `Z` |
/// | `'text'`, `''` | literal text, an apostrophe |
struct DatePattern: Sendable {
  /// A part of the pattern; flat, so that reading and writing do not count references.
  struct Part {
    /// The letter of a field; 0 for text.
    var letter: UInt8 = 0
    /// The number of repetitions of the letter; the length of text in bytes.
    var count = 0
    /// The beginning of text in ``literals``.
    var start = 0
    /// Whether a digit follows immediately, so that a number must have a fixed number of digits.
    var precedesNumber = false

    /// Whether it is written only with digits.
    var isNumber: Bool {
      switch letter {
      case 0, UInt8(ascii: "E"), UInt8(ascii: "a"), UInt8(ascii: "X"), UInt8(ascii: "Z"): false
      case UInt8(ascii: "M"): count <= 2
      default: true
      }
    }
  }

  private(set) var parts: [Part] = []
  /// The literal text of all parts.
  private(set) var literals: [UInt8] = []

  /// Reads a pattern.
  ///
  /// - Throws: ``Status/invalidArgument`` with the invalid letters.
  init(_ pattern: String) throws {
    // Not Characters, because a mark after an apostrophe would hide it.
    var characters = Array(pattern.unicodeScalars)[...]
    guard !characters.isEmpty, characters.count <= 256 else {
      throw GrootError(
        .invalidArgument,
        "a form of dates is iso8601, unixSeconds, unixMillis, or a pattern of up to 256 characters")
    }
    while let first = characters.first {
      if first == "'" {
        append(try Self.quoted(&characters, pattern: pattern))
      } else if first.isASCII && first.properties.isAlphabetic {
        let count = characters.prefix { $0 == first }.count
        guard Self.counts(first).contains(count) else {
          throw GrootError(
            .invalidArgument,
            "'\(String(repeating: Character(first), count: min(count, 20)))' means nothing in the "
              + "pattern of dates '\(pattern)'; text is written between apostrophes")
        }
        parts.append(Part(letter: UInt8(truncatingIfNeeded: first.value), count: count))
        characters = characters.dropFirst(count)
      } else {
        append(String(first))
        characters = characters.dropFirst()
      }
    }
    for index in parts.indices.dropFirst() {
      let next = parts[index]
      parts[index - 1].precedesNumber =
        next.letter == 0 ? Byte.isDigit(literals[next.start]) : next.isNumber
    }
  }

  /// Adds text to the previous text, or as a new part.
  private mutating func append(_ text: String) {
    let count = text.utf8.count
    if count == 0 { return }
    if let last = parts.indices.last, parts[last].letter == 0 {
      parts[last].count += count
    } else {
      parts.append(Part(count: count, start: literals.count))
    }
    literals += text.utf8
  }

  /// Reads text between apostrophes; two of them mean one.
  private static func quoted(
    _ characters: inout ArraySlice<Unicode.Scalar>, pattern: String
  ) throws -> String {
    characters = characters.dropFirst()
    if characters.first == "'" {
      characters = characters.dropFirst()
      return "'"
    }
    var text = ""
    while let next = characters.popFirst() {
      if next != "'" {
        text.unicodeScalars.append(next)
      } else if characters.first == "'" {
        text.append("'")
        characters = characters.dropFirst()
      } else {
        return text
      }
    }
    throw GrootError(
      .invalidArgument, "an apostrophe in the pattern of dates '\(pattern)' has no partner")
  }

  private static func counts(_ letter: Unicode.Scalar) -> Set<Int> {
    switch letter {
    case "y": [1, 2, 4]
    case "M": [1, 2, 3, 4]
    case "d", "H", "h", "m", "s": [1, 2]
    case "E": [3, 4]
    case "a": [1]
    case "S": [1, 2, 3, 4, 5, 6]
    case "X": [1, 2, 3]
    case "Z": [1, 5]
    default: []
    }
  }

  /// Returns whether it has a field with one of the letters.
  private func has(_ letters: StaticString) -> Bool {
    parts.contains { part in
      part.letter != 0 && letters.withUTF8Buffer { $0.contains(part.letter) }
    }
  }

  /// Whether it has more than a day.
  var hasTime: Bool { has("HhamsSXZ") }

  /// The reason why dates cannot be read with it; nil if they can.
  var readingFailure: String? {
    if !has("y") || !has("M") || !has("d") {
      return "lacks a year, a month or a day"
    }
    if has("h") && !has("a") { return "has an hour of 12, and 'a' does not tell which" }
    if has("a") && !has("h") && !has("H") { return "has 'a' without an hour" }
    let unbounded = parts.first {
      $0.count == 1 && $0.isNumber && $0.letter != UInt8(ascii: "S") && $0.precedesNumber
    }
    guard let unbounded else { return nil }
    let letter = Unicode.Scalar(unbounded.letter)
    return "has a digit right after '\(letter)', so the digits of both run together"
  }

  static let monthNames: [StaticString] = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
  static let dayNames: [StaticString] = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  /// The number of letters in a short name.
  static let shortName = 3
}

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

// Writing dates with a pattern, in UTC.

extension DatePattern {
  /// Returns the text of an instant.
  func text(_ date: Timestamp) -> String {
    let day = CalendarDay(date)
    // The remainder has the sign of the date.
    var ofDay = date.microseconds % CalendarDay.microseconds
    if ofDay < 0 { ofDay += CalendarDay.microseconds }
    return text(day, second: Int(ofDay / 1_000_000), fraction: Int(ofDay % 1_000_000))
  }

  /// Returns the text of a day; a time is midnight.
  func text(_ day: CalendarDay) -> String { text(day, second: 0, fraction: 0) }

  /// - Parameters:
  ///   - day: The day.
  ///   - second: The second of the day.
  ///   - fraction: Microseconds of the second.
  private func text(_ day: CalendarDay, second: Int, fraction: Int) -> String {
    let civil = day.civil
    var text: [UInt8] = []
    for part in parts {
      if part.letter == 0 {
        text += literals[part.start..<part.start + part.count]
      } else {
        Self.write(
          part, day: day, civil: civil, second: second, fraction: fraction, into: &text)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func write(
    _ part: Part, day: CalendarDay, civil: CivilDay, second: Int, fraction: Int,
    into text: inout [UInt8]
  ) {
    let hour = second / 3_600
    func number(_ value: Int) {
      let digits = String(value).utf8
      text += repeatElement(UInt8(ascii: "0"), count: max(part.count - digits.count, 0))
      text += digits
    }
    func name(_ name: StaticString) {
      name.withUTF8Buffer { text += part.count == shortName ? $0.prefix(shortName) : $0[...] }
    }
    switch part.letter {
    case UInt8(ascii: "y"):
      let year = Int(civil.year)
      if part.count == 2 { return number(abs(year) % 100) }
      if year < 0 { text.append(Byte.minus) }
      number(abs(year))
    case UInt8(ascii: "M"):
      let month = Int(civil.month)
      if part.count <= 2 { number(month) } else { name(monthNames[(month - 1) % 12]) }
    case UInt8(ascii: "d"): number(Int(civil.day))
    case UInt8(ascii: "E"): name(dayNames[day.weekday])
    case UInt8(ascii: "H"): number(hour)
    case UInt8(ascii: "h"): number((hour + 11) % 12 + 1)
    case UInt8(ascii: "a"): text += hour < 12 ? "AM".utf8 : "PM".utf8
    case UInt8(ascii: "m"): number(second / 60 % 60)
    case UInt8(ascii: "s"): number(second % 60)
    case UInt8(ascii: "S"):
      let digits = String(fraction).utf8
      let padded = Array(repeatElement(UInt8(ascii: "0"), count: max(6 - digits.count, 0))) + digits
      text += padded.prefix(part.count)
    case UInt8(ascii: "Z") where part.count == 1: text += "+0000".utf8
    default: text.append(UInt8(ascii: "Z"))
    }
  }
}

extension CalendarDay {
  /// The day of the week: 0 for Sunday.
  var weekday: Int {
    // 1970-01-01 was a Thursday.
    let day = (Int(daysSinceEpoch) + 4) % 7
    return day < 0 ? day + 7 : day
  }
}
