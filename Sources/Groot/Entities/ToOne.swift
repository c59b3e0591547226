/// A relationship of an ``Entity`` to one object or none.
///
/// In conditions and sort keys the attributes behind it are its members: `\.publisher.name`.
@dynamicMemberLookup
public struct ToOne<Destination: Entity>: Sendable {
  /// The reference by which contexts find the relationship.
  public let propertyKey: PropertyKey

  init(_ key: PropertyKey) { propertyKey = key }

  /// Declares a relationship.
  ///
  /// - Parameters:
  ///   - name: Its name in the model.
  ///   - path: The `JSONKeyPath` it is imported from; nil for what the dialect makes of the name.
  ///   - inverse: The name of the other direction, in the destination; nil when there is none.
  ///   - isOptional: Whether an object may be without it.
  ///   - minimumCount: The least number of members, for which most models have `isOptional`.
  ///   - maximumCount: The greatest number of members; 0 means no limit but that to one.
  ///   - deleteRule: The effect on the member when the owner is deleted.
  ///   - renamingIdentifier: The name in the version before.
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

  /// An attribute of the member.
  public subscript<Content>(
    dynamicMember path: KeyPath<Destination.Properties, Attribute<Content>>
  ) -> Attribute<Content> {
    Attribute(PropertyKey(Destination.properties[keyPath: path].propertyKey, behind: propertyKey))
  }

  /// A to-one relationship of the member.
  public subscript<Next>(
    dynamicMember path: KeyPath<Destination.Properties, ToOne<Next>>
  ) -> ToOne<Next> {
    ToOne<Next>(PropertyKey(Destination.properties[keyPath: path].propertyKey, behind: propertyKey))
  }

  /// A to-many relationship of the member.
  public subscript<Next>(
    dynamicMember path: KeyPath<Destination.Properties, ToMany<Next>>
  ) -> ToMany<Next> {
    ToMany<Next>(
      PropertyKey(Destination.properties[keyPath: path].propertyKey, behind: propertyKey))
  }
}
