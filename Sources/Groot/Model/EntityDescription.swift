/// An entity: its attributes and relationships, its parent, and its annotations.
public struct EntityDescription: Sendable, Hashable {
  /// The name, unique in the model.
  public var name: String
  /// The name of the entity it inherits from; nil for a root.
  public var parent: String?
  /// Whether it has only objects of its descendants.
  public var isAbstract: Bool
  /// Its own attributes, in order; inherited ones are not repeated.
  public var attributes: [AttributeDescription]
  /// Its own relationships, in order; inherited ones are not repeated.
  public var relationships: [RelationshipDescription]
  /// Lists of attribute names; the combined values of each list are unique.
  public var uniquenessConstraints: [[String]]
  /// The name of the entity in an earlier version of the model.
  public var renamingIdentifier: String?
  /// The annotations.
  public var userInfo: NameMap<String>

  /// Makes an entity.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - parent: The name of the entity it inherits from.
  ///   - isAbstract: Whether it has only objects of its descendants.
  ///   - attributes: Its own attributes.
  ///   - relationships: Its own relationships.
  ///   - uniquenessConstraints: Lists of attribute names; the combined values of each are unique.
  ///   - renamingIdentifier: The name in an earlier version of the model.
  ///   - userInfo: The annotations.
  public init(
    _ name: String, parent: String? = nil, isAbstract: Bool = false,
    attributes: [AttributeDescription] = [], relationships: [RelationshipDescription] = [],
    uniquenessConstraints: [[String]] = [], renamingIdentifier: String? = nil,
    userInfo: NameMap<String> = [:]
  ) {
    self.name = name
    self.parent = parent
    self.isAbstract = isAbstract
    self.attributes = attributes
    self.relationships = relationships
    self.uniquenessConstraints = uniquenessConstraints
    self.renamingIdentifier = renamingIdentifier
    self.userInfo = userInfo
  }
}
