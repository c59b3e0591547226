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
