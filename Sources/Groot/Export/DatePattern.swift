/// A pattern of dates in the notation of Unicode's date fields (UTS 35), in UTC and English.
///
/// | letters | meaning |
/// |---|---|
/// | `yyyy`, `yy`, `y` | year, of four, of its last two, of as many digits as needed |
/// | `MM`, `M`, `MMM`, `MMMM` | month as a number, a short or a full name |
/// | `dd`, `d` | day of the month |
/// | `EEE`, `EEEE` | day of the week, short or in full |
/// | `HH`, `H`, `hh`, `h`, `a` | hour of 24 or of 12, and AM or PM |
/// | `mm`, `m`, `ss`, `s` | minute, second |
/// | `S` to `SSSSSS` | fraction of the second, cut |
/// | `X`, `XX`, `XXX` | the zone, `Z` |
/// | `Z`, `ZZZZZ` | the zone, `+0000` or `Z` |
/// | `'text'`, `''` | the text as it is, an apostrophe |
struct DatePattern: Sendable {
  private enum Part: Sendable {
    case text(String)
    case field(Unicode.Scalar, Int)
  }

  private let parts: [Part]

  /// Reads a pattern.
  ///
  /// - Throws: ``Status/invalidArgument`` naming the letters that have no meaning.
  init(_ pattern: String) throws {
    var parts: [Part] = []
    // Not Characters: a mark after an apostrophe would hide it.
    var characters = Array(pattern.unicodeScalars)[...]
    guard !characters.isEmpty, characters.count <= 256 else {
      throw GrootError(
        .invalidArgument,
        "a form of dates is iso8601, unixSeconds, unixMillis, or a pattern of up to 256 characters")
    }
    while let first = characters.first {
      if first == "'" {
        parts.append(.text(try Self.quoted(&characters, pattern: pattern)))
      } else if first.isASCII && first.properties.isAlphabetic {
        let count = characters.prefix { $0 == first }.count
        guard Self.counts(first).contains(count) else {
          throw GrootError(
            .invalidArgument,
            "'\(String(repeating: Character(first), count: min(count, 20)))' means nothing in the pattern of dates "
              + "'\(pattern)'; text is written between apostrophes")
        }
        parts.append(.field(first, count))
        characters = characters.dropFirst(count)
      } else {
        parts.append(.text(String(first)))
        characters = characters.dropFirst()
      }
    }
    self.parts = parts
  }

  /// Reads text between apostrophes; two of them stand for one.
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

  /// A date as the pattern says.
  func text(_ date: Timestamp) -> String {
    var seconds = date.microseconds / 1_000_000
    var fraction = date.microseconds % 1_000_000
    if fraction < 0 {
      fraction += 1_000_000
      seconds -= 1
    }
    var days = seconds / 86_400
    var ofDay = seconds % 86_400
    if ofDay < 0 {
      ofDay += 86_400
      days -= 1
    }
    let day = Timestamp.civilDay(daysSinceEpoch: days)
    var text = ""
    for part in parts {
      switch part {
      case .text(let literal): text += literal
      case .field(let letter, let count):
        text += Self.field(
          letter, count: count, day: day, days: days, ofDay: Int(ofDay), fraction: Int(fraction))
      }
    }
    return text
  }

  private static func field(
    _ letter: Unicode.Scalar, count: Int, day: CivilDay, days: Int64, ofDay: Int,
    fraction: Int
  ) -> String {
    let month = Int(day.month)
    let hour = ofDay / 3_600
    switch letter {
    case "y":
      let year = Int(day.year)
      if count == 2 { return padded(abs(year) % 100, count: 2) }
      return (year < 0 ? "-" : "") + padded(abs(year), count: count)
    case "M":
      if count <= 2 { return padded(month, count: count) }
      let name = monthNames[(month - 1) % 12]
      return count == 3 ? String(name.prefix(3)) : name
    case "d": return padded(Int(day.day), count: count)
    case "E":
      // 1970-01-01 was a Thursday.
      let name = dayNames[Int(((days + 4) % 7 + 7) % 7)]
      return count == 3 ? String(name.prefix(3)) : name
    case "H": return padded(hour, count: count)
    case "h": return padded((hour + 11) % 12 + 1, count: count)
    case "a": return hour < 12 ? "AM" : "PM"
    case "m": return padded(ofDay / 60 % 60, count: count)
    case "s": return padded(ofDay % 60, count: count)
    case "S": return String(padded(fraction, count: 6).prefix(count))
    case "Z" where count == 1: return "+0000"
    default: return "Z"
    }
  }

  private static func padded(_ number: Int, count: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(count - digits.utf8.count, 0)) + digits
  }

  private static let monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
  private static let dayNames = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
}
