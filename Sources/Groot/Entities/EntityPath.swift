#if Entities

/// The paths to the properties of an entity: the argument of a condition.
@dynamicMemberLookup
public struct EntityPaths<Object: Entity>: Sendable {
  init() {}

  /// The path to a property.
  public subscript<Property: EntityProperty>(
    dynamicMember path: KeyPath<Object.Properties, Property>
  ) -> EntityPath<Object, Property> {
    EntityPath(key: Object.properties[keyPath: path].propertyKey)
  }
}

/// The path from an entity to a property, its own or one behind to-one relationships.
///
/// The properties of the destination of a to-one relationship are its members, as in
/// `$0.publisher.name`.
@dynamicMemberLookup
public struct EntityPath<Object: Entity, Property: EntityProperty>: Sendable {
  let key: PropertyKey

  /// The path to a property of the member.
  public subscript<Next: EntityProperty>(
    dynamicMember path: KeyPath<Property.Destination.Properties, Next>
  ) -> EntityPath<Object, Next> where Property: ToOneProperty {
    let next = Property.Destination.properties[keyPath: path].propertyKey
    return EntityPath<Object, Next>(key: PropertyKey(next, behind: key))
  }
}

#endif
