/// How large a model may be, so that it is made, and held, in bounded time and memory.
///
/// docs/reference/model-document.md tells them to programs.
enum ModelLimits {
  /// Entities; more would not fit the numbers that records and object ids are made of.
  static let entities = 60_000
  /// Properties that one entity declares itself, and elements of one attribute.
  static let ownProperties = 6_000
  /// Entities from a root down to one of its descendants, both counted.
  static let inheritanceDepth = 256
  /// Properties of a hierarchy, with one more for each relationship that leads to it and
  /// has no inverse.
  static let treeProperties = 60_000
  /// Properties of all entities, inherited ones counted for each entity that has them.
  static let allProperties = 500_000
  /// Bytes of the name of an entity, a property or an element.
  static let nameLength = 1_024
  /// How deep composite attributes nest.
  static let compositeDepth = 16
}
