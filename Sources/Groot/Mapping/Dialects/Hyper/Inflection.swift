/// Spellings of names: `firstName`, `first_name` and their canonical form.
///
/// Names are split by Unicode scalars; a combining mark belongs to the letter before it.
enum Inflection {
  /// Words that are written in capitals inside a name, in the order of the search.
  private static let acronyms = [
    "uuid", "id", "pdf", "url", "png", "jpg", "uri", "json", "xml",
  ]

  private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar == "-" || scalar.properties.isWhitespace
  }

  private static func isCapital(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII ? ("A"..."Z").contains(scalar) : scalar.properties.isUppercase
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.isASCII && scalar.properties.isGraphemeExtend
  }

  private static func isNumber(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.numericType != nil
  }

  private static func isInWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || isNumber(scalar) || isMark(scalar)
  }

  private static func small(_ scalar: Unicode.Scalar) -> String {
    scalar.properties.lowercaseMapping
  }

  private static func withSmallStart(_ text: String) -> String {
    guard let first = text.unicodeScalars.first else { return text }
    return small(first) + String(text.unicodeScalars.dropFirst())
  }

  /// Returns the snake_case spelling of a name: `userIDFirst` becomes `user_id_first`.
  ///
  /// A digit does not begin a word. A name with underscores keeps its spelling.
  static func snake(_ name: String) -> String {
    if name.utf8.contains(Byte.underscore) { return name }
    var result = ""
    var rest = withSmallStart(name).unicodeScalars[...]
    while let first = rest.first {
      if isSeparator(first) {
        rest.removeFirst()
        continue
      }
      if isCapital(first) {
        let capitals = rest.prefix { isCapital($0) || isMark($0) }
        rest = rest.dropFirst(capitals.count)
        result += "_" + word(capitals.map(small).joined())
      }
      let others = rest.prefix { !isCapital($0) && !isSeparator($0) }
      rest = rest.dropFirst(others.count)
      result.unicodeScalars += others
    }
    return result
  }

  /// Returns a run of capitals as a word, or as two words if it contains an acronym.
  private static func word(_ run: String) -> String {
    for acronym in acronyms {
      let rest = removing(Array(acronym.utf8), from: Array(run.utf8))
      if run == acronym { return run }
      if rest.count != run.utf8.count {
        return acronym + "_" + String(decoding: rest, as: UTF8.self)
      }
    }
    return run
  }

  private static func removing(_ part: [UInt8], from text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = text[...]
    while let first = rest.first {
      if rest.starts(with: part) {
        rest = rest.dropFirst(part.count)
      } else {
        result.append(first)
        rest = rest.dropFirst()
      }
    }
    return result
  }

  /// Returns the name for a snake_case key: `user_id` becomes `userID`; nil if the key cannot be a
  /// name.
  ///
  /// Of a key without underscores, only the first letter changes.
  static func camel(_ key: String) -> String? {
    guard key.utf8.contains(Byte.underscore) else {
      return key.isEmpty ? nil : withSmallStart(key)
    }
    guard key.unicodeScalars.allSatisfy({ isSeparator($0) || isInWord($0) }) else { return nil }
    let name = key.unicodeScalars.split(whereSeparator: isSeparator).map {
      titled(String($0))
    }.joined()
    if name.isEmpty { return nil }
    let small = name.lowercased()
    return acronyms.contains(small) ? small : withSmallStart(name)
  }

  private static func titled(_ token: String) -> String {
    if acronyms.contains(token) { return token.uppercased() }
    var result = ""
    var isFirst = true
    for scalar in token.unicodeScalars {
      if isMark(scalar) {
        result.unicodeScalars.append(scalar)
        continue
      }
      result += isFirst ? scalar.properties.uppercaseMapping : small(scalar)
      isFirst = isNumber(scalar)
    }
    return result
  }

  /// Returns the canonical form of a name: its letters and digits in lower case; nil if the name
  /// has other characters than these and separators.
  static func canonical(_ name: String) -> String? {
    var result = ""
    for scalar in name.unicodeScalars where !isSeparator(scalar) {
      guard isInWord(scalar) else { return nil }
      result += small(scalar)
    }
    return result.isEmpty ? nil : result
  }
}
