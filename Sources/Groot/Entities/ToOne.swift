#if Entities

/// A relationship of an ``Entity`` to at most one object.
public struct ToOne<Destination: Entity>: TypedToOne {
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
  ///   - isOptional: Whether an object may be without a member.
  ///   - minimumCount: The least number of members; most models use `isOptional` instead.
  ///   - maximumCount: The greatest number of members; 0 means the default, one.
  ///   - deleteRule: The effect on the member when the owner is deleted.
  ///   - renamingIdentifier: The name in an earlier version of the model.
  ///   - annotations: Other annotations.
  public init(
    _ name: String, path: String? = nil, inverse: String? = nil, isOptional: Bool = true,
    minimumCount: Int = 0, maximumCount: Int = 0,
    deleteRule: RelationshipDescription.DeleteRule = .nullify, renamingIdentifier: String? = nil,
    annotations: NameMap<String> = [:]
  ) {
    var annotations = annotations
    if let path { annotations["JSONKeyPath"] = path }
    propertyKey = PropertyKey(
      .relationship(
        RelationshipDescription(
          name, to: Destination.entity.name, inverse: inverse, isOptional: isOptional,
          minimumCount: minimumCount, maximumCount: maximumCount, deleteRule: deleteRule,
          renamingIdentifier: renamingIdentifier, userInfo: annotations)))
  }
}

extension ToOne {
  /// Returns the member; nil without one.
  @inlinable
  public func content(of object: ManagedObject) -> Destination? {
    do {
      let target = try object.context.target(.key(propertyKey), of: object.id)
      guard let target else { return nil }
      return Destination(managedObject: ManagedObject(context: object.context, id: target))
    } catch {
      object.context.note(error, in: .read, of: propertyKey)
      return nil
    }
  }

  /// Sets the member and its inverse.
  public func set(_ target: Destination?, of object: ManagedObject) {
    object.context.noting(.write, of: propertyKey) {
      if let target {
        try object.context.requireOwn(target.managedObject.context, property: propertyKey.name)
      }
      try object.context.setTarget(
        target?.managedObject.id, for: .key(propertyKey), of: object.id)
    }
  }
}

#endif
