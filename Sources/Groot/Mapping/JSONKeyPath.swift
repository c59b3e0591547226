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
