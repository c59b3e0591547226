/// The limits of a model, which bound the time and the memory for it.
///
/// docs/reference/model-document.md documents them.
enum ModelLimits {
  /// The number of entities; more would not fit the numbers in records and object ids.
  static let entities = 60_000
  /// The number of properties that one entity declares, and of elements of one attribute.
  static let ownProperties = 6_000
  /// The number of entities from a root down to one of its descendants, both counted.
  static let inheritanceDepth = 256
  /// The number of properties of a hierarchy, with one more for each relationship to it without an
  /// inverse.
  static let treeProperties = 60_000
  /// The number of properties of all entities; inherited ones are counted for each entity.
  static let allProperties = 500_000
  /// The number of bytes in the name of an entity, a property or an element.
  static let nameLength = 1_024
  /// The depth of nested composite attributes.
  static let compositeDepth = 16
}
