// The grammar of key paths.
//
// | path | leads to |
// |---|---|
// | `publisher.name` | a value in nested objects |
// | `latlng[0]` | an element of an array |
// | `edges[].node` | a value in each element of an array |
// | `@index`, `@key`, `@value`, `@rest` | see ``JSONKeyPath/Origin`` |
// | `@parent.name`, `@root.name` | a value in another object |
//
// A backslash escapes a dot, a bracket, a backslash, and an `@` at the beginning of a key.

extension JSONKeyPath {
  /// The reason why a path is invalid.
  struct SyntaxError: Error {
    let reason: String
  }

  /// Reads a path of the grammar.
  static func parsing(_ text: String) throws(SyntaxError) -> JSONKeyPath {
    var rest = Array(text.unicodeScalars)[...]
    var origin = Origin.object
    if rest.first == "@" {
      let name = String(String.UnicodeScalarView(rest.prefix { $0 != "." && $0 != "[" }))
      guard let found = Origin.allCases.first(where: { $0.text == name }) else {
        throw SyntaxError(
          reason: "'\(name.shortened)' is not one of "
            + "\(listed(Origin.allCases.compactMap(\.text))); a key that begins with '@' is "
            + "written '\\@'")
      }
      origin = found
      rest = rest.dropFirst(name.unicodeScalars.count)
      guard !rest.isEmpty else {
        if found == .parent || found == .root {
          throw SyntaxError(reason: "keys follow '\(name)', as in '\(name).id'")
        }
        return JSONKeyPath(origin: found, [])
      }
      guard found.takesSegments else {
        throw SyntaxError(reason: "nothing follows '\(name)'")
      }
      if rest.first == "." { rest = rest.dropFirst() }
    }
    return JSONKeyPath(origin: origin, try segments(&rest))
  }

  /// Reads a path of a dialect in which `@`, and a bracket outside the grammar, are plain
  /// characters.
  init(_ text: String) {
    var rest = Array(text.unicodeScalars)[...]
    if let segments = try? Self.segments(&rest, isStrict: false) {
      self.init(segments)
    } else {
      self.init(Self.keys(text))
    }
  }

  private static func segments(
    _ rest: inout ArraySlice<Unicode.Scalar>, isStrict: Bool = true
  ) throws(SyntaxError) -> [Segment] {
    var segments: [Segment] = []
    while true {
      if rest.first != "[" { segments.append(.key(try key(&rest, isStrict: isStrict))) }
      while rest.first == "[" { segments.append(try bracket(&rest)) }
      guard let next = rest.popFirst() else { return segments }
      guard next == "." else {
        throw SyntaxError(reason: "after ']' comes '.', '[' or the end; a '[' in a key is '\\['")
      }
      if rest.first == "[" { throw SyntaxError(reason: "there is no key between '.' and '['") }
    }
  }

  /// Reads a key up to a dot, a bracket or the end.
  private static func key(
    _ rest: inout ArraySlice<Unicode.Scalar>, isStrict: Bool
  ) throws(SyntaxError) -> Name {
    if isStrict, rest.first == "@" {
      throw SyntaxError(reason: "a key that begins with '@' is written '\\@'")
    }
    var key = String.UnicodeScalarView()
    var isPlain = true
    while let next = rest.first, next != ".", next != "[" {
      rest.removeFirst()
      guard next == "\\" else {
        key.append(next)
        continue
      }
      let isBeginning = key.isEmpty
      guard let escaped = rest.popFirst() else {
        key.append(next)
        break
      }
      let isEscape =
        [".", "\\", "["].contains(escaped) || isBeginning && (escaped == "@" || escaped == "*")
      if !isEscape { key.append(next) }
      key.append(escaped)
      isPlain = false
    }
    let text = String(key)
    if isStrict, isPlain, text == "*" {
      throw SyntaxError(reason: "all elements of an array are '[]'; a key '*' is written '\\*'")
    }
    return Name(text)
  }

  /// Reads `[]` or a position in brackets.
  private static func bracket(
    _ rest: inout ArraySlice<Unicode.Scalar>
  ) throws(SyntaxError) -> Segment {
    let inside = rest.dropFirst().prefix { $0 != "]" }
    let text = String(String.UnicodeScalarView(inside))
    rest = rest.dropFirst(inside.count + 1)
    guard rest.popFirst() != nil else {
      throw SyntaxError(
        reason: "'[\(text.shortened)' has no ']'; a '[' in a key is '\\['")
    }
    guard text.isEmpty || position(text) != nil else {
      throw SyntaxError(
        reason:
          "'[\(text.shortened)]' is not a position from 0 to \(maximumPositions - 1) in brackets; "
          + "a '[' in a key is '\\['")
    }
    return position(text).map { .position($0) } ?? .elements
  }

  /// Returns the keys between dots, with their brackets.
  private static func keys(_ text: String) -> [Segment] {
    var segments: [Segment] = []
    var key = ""
    var isEscaped = false
    for character in text.unicodeScalars {
      if isEscaped {
        if character != "." && character != "\\" { key.unicodeScalars.append("\\") }
        key.unicodeScalars.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "." {
        segments.append(.key(Name(key)))
        key = ""
      } else {
        key.unicodeScalars.append(character)
      }
    }
    if isEscaped { key.unicodeScalars.append("\\") }
    return segments + [.key(Name(key))]
  }

  /// Returns the text of a path of one key.
  static func text(_ key: String) -> String {
    if key == "*" { return "\\*" }
    var text = key.unicodeScalars.first == "@" ? "\\" : ""
    for character in key.unicodeScalars {
      if [".", "\\", "["].contains(character) { text += "\\" }
      text.unicodeScalars.append(character)
    }
    return text
  }
}
