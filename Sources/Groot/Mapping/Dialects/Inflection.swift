/// Spellings of names: `firstName`, `first_name` and what stands for both.
enum Inflection {
  /// Words that are written in capitals inside a name, in the order in which they are looked for.
  private static let acronyms = [
    "uuid", "id", "pdf", "url", "png", "jpg", "uri", "json", "xml",
  ]

  private static func isSeparator(_ character: Character) -> Bool {
    character == "_" || character == "-" || character.isWhitespace
  }

  /// The snake_case spelling of a name: `userIDFirst` becomes `user_id_first`.
  ///
  /// Digits begin no word. A name that has underscores already keeps its spelling.
  static func snake(_ name: String) -> String {
    if name.contains("_") { return name }
    var result = ""
    var rest = (name.prefix(1).lowercased() + name.dropFirst())[...]
    while let first = rest.first {
      if isSeparator(first) {
        rest.removeFirst()
        continue
      }
      let capitals = rest.prefix { $0.isUppercase }
      rest = rest.dropFirst(capitals.count)
      if !capitals.isEmpty { result += "_" + word(capitals.lowercased()) }
      let others = rest.prefix { !$0.isUppercase && !isSeparator($0) }
      rest = rest.dropFirst(others.count)
      result += others
    }
    return result
  }

  /// A run of capitals as a word, or as two when an acronym is in it.
  private static func word(_ run: String) -> String {
    guard let acronym = acronyms.first(where: { contains(run, $0) }), run != acronym else {
      return run
    }
    return acronym + "_" + removing(acronym, from: run)
  }

  private static func contains(_ text: String, _ part: String) -> Bool {
    removing(part, from: text).utf8.count != text.utf8.count
  }

  private static func removing(_ part: String, from text: String) -> String {
    var result = ""
    var rest = text[...]
    while !rest.isEmpty {
      if rest.hasPrefix(part) {
        rest = rest.dropFirst(part.count)
      } else {
        result.append(rest.removeFirst())
      }
    }
    return result
  }

  /// The name that a snake_case key stands for: `user_id` becomes `userID`; nil when it can be none.
  ///
  /// A key without an underscore is a name already, but for its first letter.
  static func camel(_ key: String) -> String? {
    guard key.contains("_") else {
      return key.isEmpty ? nil : key.prefix(1).lowercased() + key.dropFirst()
    }
    guard key.allSatisfy({ isSeparator($0) || $0.isLetter || $0.isNumber }) else { return nil }
    let name = key.split(whereSeparator: isSeparator).map { titled(String($0)) }.joined()
    if name.isEmpty { return nil }
    let small = name.lowercased()
    return acronyms.contains(small) ? small : name.prefix(1).lowercased() + name.dropFirst()
  }

  private static func titled(_ token: String) -> String {
    if acronyms.contains(token) { return token.uppercased() }
    var result = ""
    var isFirst = true
    for character in token {
      result += isFirst ? character.uppercased() : character.lowercased()
      isFirst = character.isNumber
    }
    return result
  }

  /// What all spellings of a name have in common: its letters and digits, small; nil when it has
  /// anything but these and separators.
  static func canonical(_ name: String) -> String? {
    var result = ""
    for character in name {
      if isSeparator(character) { continue }
      guard character.isLetter || character.isNumber else { return nil }
      result += character.lowercased()
    }
    return result.isEmpty ? nil : result
  }
}
