/// The kinds of values and their form in memory; several types of attributes share a kind.
///
/// The raw values are those of `GROOT_VALUE_...` in groot.h.
public enum ValueKind: Int32, CaseIterable, Sendable {
  /// No value; a ``Column`` has another kind, and a bit for each object that says whether it has a
  /// value.
  case null = 0
  /// `Int64`.
  case integer = 1
  /// `Double`.
  case real = 2
  /// 0 or 1.
  case boolean = 3
  /// UTF-8.
  case string = 4
  /// Text of a number such as `12.50`.
  case decimal = 5
  /// `Int64`: microseconds since 1970-01-01T00:00:00Z.
  case date = 6
  /// Bytes.
  case binary = 7
  /// Text of 36 characters.
  case uuid = 8
  /// UTF-8.
  case uri = 9
  /// JSON text: transformable and composite attributes.
  case json = 10
  /// The raw value of an ``ObjectID``: to-one relationships.
  case object = 11
  /// `Int32`: days since 1970-01-01.
  case day = 12

  /// Makes the kind of an attribute's values.
  public init(_ type: AttributeType) {
    switch type {
    case .integer16, .integer32, .integer64: self = .integer
    case .double, .float: self = .real
    case .boolean: self = .boolean
    case .date: self = .date
    case .day: self = .day
    case .string: self = .string
    case .uri: self = .uri
    case .binary: self = .binary
    case .transformable, .composite: self = .json
    case .decimal: self = .decimal
    case .uuid: self = .uuid
    }
  }
}
