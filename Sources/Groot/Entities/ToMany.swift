#if Entities

/// A relationship of an ``Entity`` to any number of objects.
public struct ToMany<Destination: Entity>: TypedProperty {
  /// The key by which contexts find the relationship.
  public let propertyKey: PropertyKey

  /// Makes the relationship that a context finds by a key.
  public init(propertyKey: PropertyKey) { self.propertyKey = propertyKey }

  /// Declares a relationship.
  ///
  /// - Parameters:
  ///   - name: Its name in the model.
  ///   - path: The `JSONKeyPath`; nil for the dialect's default.
  ///   - inverse: The name of the inverse in the destination; nil without one.
  ///   - isOrdered: Whether the order of the members is part of the value.
  ///   - isOptional: Whether an object may be without members.
  ///   - minimumCount: The least number of members; 0 means no limit.
  ///   - maximumCount: The greatest number of members; 0 means no limit.
  ///   - deleteRule: The effect on the members when the owner is deleted.
  ///   - renamingIdentifier: The name in an earlier version of the model.
  ///   - annotations: Other annotations.
  public init(
    _ name: String, path: String? = nil, inverse: String? = nil, isOrdered: Bool = false,
    isOptional: Bool = true, minimumCount: Int = 0, maximumCount: Int = 0,
    deleteRule: RelationshipDescription.DeleteRule = .nullify, renamingIdentifier: String? = nil,
    annotations: NameMap<String> = [:]
  ) {
    var annotations = annotations
    if let path { annotations["JSONKeyPath"] = path }
    propertyKey = PropertyKey(
      .relationship(
        RelationshipDescription(
          name, to: Destination.entity.name, isToMany: true, isOrdered: isOrdered,
          inverse: inverse, isOptional: isOptional, minimumCount: minimumCount,
          maximumCount: maximumCount, deleteRule: deleteRule,
          renamingIdentifier: renamingIdentifier, userInfo: annotations)))
  }
}

extension ToMany {
  /// Returns the members, in order.
  public func content(of object: ManagedObject) -> Members<Destination> {
    let context = object.context
    let found = context.noting(.read, of: propertyKey) {
      try context.members(.key(propertyKey), of: object.id)
    }
    return Members(found ?? [], in: context)
  }

  /// Sets the members and their inverse.
  public func set(_ members: Members<Destination>, of object: ManagedObject) {
    let context = object.context
    context.noting(.write, of: propertyKey) {
      if !members.isEmpty {
        try context.requireOwn(members.isMixed ? nil : members.context, property: propertyKey.name)
      }
      try context.setMembers(members.ids, for: .key(propertyKey), of: object.id)
    }
  }
}

#endif
