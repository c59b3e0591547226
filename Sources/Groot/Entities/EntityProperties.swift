// The properties in an entity's type.

extension Entity {
  /// The keys of all properties, in order.
  static var propertyKeys: [PropertyKey] {
    Mirror(reflecting: properties).children.compactMap {
      ($0.value as? any KeyedProperty)?.propertyKey
    }
  }
}

/// An attribute or relationship of a typed entity.
private protocol KeyedProperty {
  var propertyKey: PropertyKey { get }
}

extension Attribute: KeyedProperty {}
extension ToOne: KeyedProperty {}
extension ToMany: KeyedProperty {}
