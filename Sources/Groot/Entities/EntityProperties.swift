/// The keys of an entity's properties, in the order in which its type has them.
struct EntityProperties {
  let keys: [PropertyKey]

  init<Object: Entity>(of type: Object.Type) {
    keys = Mirror(reflecting: type.properties).children.compactMap {
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
