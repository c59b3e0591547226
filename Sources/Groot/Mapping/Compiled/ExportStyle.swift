/// The form of relationships in an export.
public enum RelationshipStyle: Int32, CaseIterable, Sendable {
  /// Relationships are omitted.
  case none = 1
  /// To-many relationships as arrays, to-one relationships as objects.
  case array = 2
  /// Under keys that end in `attributes`, to-many relationships as objects with the keys `0`, `1`
  /// and so on.
  case nested = 3
}

/// The spelling of property names as keys.
public enum KeyInflection: Int32, CaseIterable, Sendable {
  /// Snake case, such as `first_name`.
  case snake = 1
  /// Camel case, such as `firstName`.
  case camel = 2
}

/// The output of properties without a value.
public enum NullStyle: Int32, CaseIterable, Sendable {
  /// Null.
  case write = 1
  /// The key is omitted; so is a nested object that would be empty.
  case omit = 2
}

/// The style that an export asks for; nil for the mapping's default.
struct ExportStyle {
  var relationships: RelationshipStyle?
  var inflection: KeyInflection?
  var writesToMany = false
  var writesSubobjects = false
}

/// A way of writing objects with a mapping.
struct ExportVariant: Hashable, Sendable {
  var relationships = RelationshipStyle.array
  var inflection: KeyInflection?
  var writesToMany = true
  var writesSubobjects = true
}
