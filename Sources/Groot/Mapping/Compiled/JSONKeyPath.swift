/// The path of a value in JSON: keys and positions, such as `publisher.name` or `latlng[0]`.
struct JSONKeyPath: Hashable, Sendable, CustomStringConvertible {
  /// The beginning of a path, or a whole path.
  enum Origin: UInt8, CaseIterable, Sendable {
    /// The object that has the property.
    case object
    /// The position of the object in its list.
    case index
    /// The key of the object in a keyed collection.
    case key
    /// The value itself, if a scalar is in the place of an object.
    case value
    /// All unmapped keys of the object.
    case rest
    /// The enclosing object.
    case parent
    /// The whole document.
    case root

    /// Its text in a path; nil for the default.
    var text: String? { self == .object ? nil : "@\(self)" }

    /// Whether many objects can share its value.
    var isShared: Bool { self == .key || self == .parent || self == .root }

    /// Whether keys may follow.
    var takesSegments: Bool { self == .object || self == .parent || self == .root }
  }

  /// One step of a path.
  enum Segment: Hashable, Sendable {
    /// The member of an object.
    case key(Name)
    /// The element of an array at a position.
    case position(Int)
    /// All elements of an array.
    case elements

    /// The key; nil for other segments.
    var key: String? {
      if case .key(let name) = self { name.text } else { nil }
    }
  }

  let origin: Origin
  let segments: [Segment]

  init(origin: Origin = .object, _ segments: [Segment]) {
    self.origin = origin
    self.segments = segments
  }

  /// Makes a path of keys.
  init(segments: [String]) { self.init(segments.map { .key(Name($0)) }) }

  /// Makes a path of one key, whatever characters it has.
  init(key: String) { self.init([.key(Name(key))]) }

  /// Returns the array position of a key such as `3`; nil for other keys.
  static func position(_ key: String) -> Int? {
    guard let number = Int(key), number >= 0, number < maximumPositions, String(number) == key
    else { return nil }
    return number
  }

  /// The position at the beginning, in rules also written as a key; nil without one.
  var firstPosition: Int? {
    switch segments.first {
    case .position(let position): position
    case .key(let key): Self.position(key.text)
    case .elements, nil: nil
    }
  }

  /// Whether it begins with a position in brackets.
  var beginsAtPosition: Bool {
    if case .position = segments.first { true } else { false }
  }

  /// The key at the beginning; nil if it begins with something else.
  var firstKey: Name? {
    if case .key(let key) = segments.first { key } else { nil }
  }

  /// The path of the object that encloses the value: for the elements of a list, the object with
  /// the list or the element with the value.
  var around: JSONKeyPath {
    let value = segments.last == .elements ? segments.dropLast() : segments[...]
    return JSONKeyPath(origin: origin, Array(value.dropLast()))
  }

  /// Returns the path of a value in the object at this path.
  func appending(_ path: JSONKeyPath) -> JSONKeyPath {
    JSONKeyPath(origin: origin, segments + path.segments)
  }

  /// Whether it leads through all elements of an array.
  var hasElements: Bool { segments.contains(.elements) }

  /// Whether an export can write it: only keys follow the elements of a list.
  var isWritable: Bool {
    guard let elements = segments.firstIndex(of: .elements) else { return true }
    return segments[(elements + 1)...].allSatisfy { $0.key != nil }
  }

  /// The greatest number of keys, of bytes, and of array elements of a path.
  static let maximumLength = 256
  static let maximumSize = 4_096
  static let maximumPositions = 4_096

  /// Whether it has no empty key and keeps to the limits: JSON of very many keys nests too deep,
  /// and each inheriting entity repeats a path.
  var isUsable: Bool {
    let keys = segments.lazy.compactMap(\.key)
    return segments.count <= Self.maximumLength && keys.allSatisfy { !$0.isEmpty }
      && keys.map(\.utf8.count).reduce(0, +) <= Self.maximumSize
  }

  /// Returns whether one of two paths with the same origin is the beginning of the other.
  func overlaps(_ other: JSONKeyPath) -> Bool {
    segments.starts(with: other.segments) || other.segments.starts(with: segments)
  }

  /// The path without its first key.
  var withoutFirst: JSONKeyPath { JSONKeyPath(origin: origin, Array(segments.dropFirst())) }

  /// The path for messages.
  var location: String {
    segments.map { segment in
      switch segment {
      case .key(let key): MessagePath.member(key.text)
      case .position(let position): MessagePath.element(position)
      case .elements: "[]"
      }
    }.joined()
  }

  var description: String {
    var text = origin.text ?? ""
    for segment in segments {
      switch segment {
      case .key(let key):
        if !text.isEmpty { text += "." }
        text += Self.text(key.text)
      case .position(let position): text += "[\(position)]"
      case .elements: text += "[]"
      }
    }
    return text
  }
}

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
