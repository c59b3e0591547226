/// A relationship of an ``Entity`` to at most one object.
///
/// In conditions and sort keys, the properties of the destination are its members, as in
/// `\.publisher.name`.
@dynamicMemberLookup
public struct ToOne<Destination: Entity>: Sendable {
  /// The key by which contexts find the relationship.
  public let propertyKey: PropertyKey

  init(_ key: PropertyKey) { propertyKey = key }

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
