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
