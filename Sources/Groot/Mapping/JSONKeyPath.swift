/// Where a value is in JSON: a path of keys and positions, such as `publisher.name` or `latlng[0]`.
struct JSONKeyPath: Hashable, Sendable, CustomStringConvertible {
  /// The beginning of a path, or a path of its own.
  enum Origin: UInt8, CaseIterable, Sendable {
    /// The object that has the property.
    case object
    /// Its position in the list where it stands.
    case index
    /// The key under which it stands in a keyed collection.
    case key
    /// The value itself, where a scalar stands in the place of an object.
    case value
    /// All unmapped keys of the object.
    case rest
    /// The object that leads to it.
    case parent
    /// The whole document.
    case root

    /// How a path writes it; nil for the usual one.
    var text: String? { self == .object ? nil : "@\(self)" }

    /// Whether many objects may have it in common.
    var isShared: Bool { self == .key || self == .parent || self == .root }

    /// Whether keys may follow.
    var takesSegments: Bool { self == .object || self == .parent || self == .root }
  }

  /// One step of a path.
  enum Segment: Hashable, Sendable {
    /// Into the member of an object.
    case key(Name)
    /// To the element of an array at a position.
    case position(Int)
    /// To all elements of an array.
    case elements

    /// The key; nil when it is not one.
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

  /// A path of given keys.
  init(segments: [String]) { self.init(segments.map { .key(Name($0)) }) }

  /// A path of one key, whatever is in it.
  init(key: String) { self.init([.key(Name(key))]) }

  /// The position in an array that a key such as `3` stands for; nil when it stands for none.
  static func position(_ key: String) -> Int? {
    guard let number = Int(key), number >= 0, number < maximumPositions, String(number) == key
    else { return nil }
    return number
  }

  /// The position that a path begins with, in rules also written as a key; nil when it begins with
  /// none.
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

  /// The key that it begins with; nil when it begins with something else.
  var firstKey: Name? {
    if case .key(let key) = segments.first { key } else { nil }
  }

  /// The path of the object around a value that a path leads to: for those of a list, of the object
  /// that has the list, or of the element that has the value.
  var around: JSONKeyPath {
    let value = segments.last == .elements ? segments.dropLast() : segments[...]
    return JSONKeyPath(origin: origin, Array(value.dropLast()))
  }

  /// The path of a value in the object that this one leads to.
  func appending(_ path: JSONKeyPath) -> JSONKeyPath {
    JSONKeyPath(origin: origin, segments + path.segments)
  }

  /// Whether it leads through all elements of an array.
  var hasElements: Bool { segments.contains(.elements) }

  /// Whether an export can write a list at it: nothing but keys follow its elements.
  var isWritable: Bool {
    guard let elements = segments.firstIndex(of: .elements) else { return true }
    return segments[(elements + 1)...].allSatisfy { $0.key != nil }
  }

  /// How many keys a path may have, how many bytes, and how many elements of an array.
  static let maximumLength = 256
  static let maximumSize = 4_096
  static let maximumPositions = 4_096

  /// A path with an empty key leads nowhere, one of very many keys to JSON that nests too deep, and
  /// every entity that inherits one has it again.
  var isUsable: Bool {
    let keys = segments.lazy.compactMap(\.key)
    return segments.count <= Self.maximumLength && keys.allSatisfy { !$0.isEmpty }
      && keys.map(\.utf8.count).reduce(0, +) <= Self.maximumSize
  }

  /// Whether one of two paths from the same place leads through the end of the other.
  func overlaps(_ other: JSONKeyPath) -> Bool {
    segments.starts(with: other.segments) || other.segments.starts(with: segments)
  }

  /// The same path in the object that one of its keys leads to.
  var withoutFirst: JSONKeyPath { JSONKeyPath(origin: origin, Array(segments.dropFirst())) }

  /// The path as errors show it.
  var location: String {
    segments.map { segment in
      switch segment {
      case .key(let key): JSONPath.member(key.text)
      case .position(let position): JSONPath.element(position)
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
