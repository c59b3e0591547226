/// How relationships are written.
public enum RelationshipStyle: Int32, CaseIterable, Sendable {
  /// They are left out.
  case none = 1
  /// To-many relationships as arrays, to-one relationships as objects.
  case array = 2
  /// Under keys that end in `attributes`, to-many relationships as objects with the keys `0`, `1`
  /// and so on.
  case nested = 3
}

/// How the names of properties become keys.
public enum KeyInflection: Int32, CaseIterable, Sendable {
  /// As in `first_name`.
  case snake = 1
  /// As in `firstName`.
  case camel = 2
}

/// The output of properties without a value.
public enum NullStyle: Int32, CaseIterable, Sendable {
  /// Null.
  case write = 1
  /// Nothing; an object in which nothing would be is left out, too.
  case omit = 2
}

/// The demands of an export on a mapping; nil for the mapping's way.
struct ExportStyle {
  var relationships: RelationshipStyle?
  var inflection: KeyInflection?
  var writesToMany = false
  var writesSubobjects = false
}

/// One of the ways in which a mapping can write objects.
struct ExportVariant: Hashable, Sendable {
  var relationships = RelationshipStyle.array
  var inflection: KeyInflection?
  var writesToMany = true
  var writesSubobjects = true
}
