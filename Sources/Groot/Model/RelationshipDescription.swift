/// A relationship of an entity: its destination, its inverse, and its annotations.
public struct RelationshipDescription: Sendable, Hashable {
  /// The effect on the members of a relationship when its owner is deleted.
  public enum DeleteRule: String, CaseIterable, Sendable {
    /// The members remain, without the link.
    case nullify
    /// The members are deleted, too.
    case cascade
    /// The owner cannot be deleted while it has members.
    case deny
    /// As nullify: links never lead to deleted objects.
    case noAction
  }

  /// The name, unique among the properties of the entity, its ancestors and descendants.
  public var name: String
  /// The name of the destination entity.
  public var destination: String
  /// Whether it may have more than one member.
  public var isToMany: Bool
  /// Whether the order of members is part of the value; unordered members keep the order of
  /// insertion.
  public var isOrdered: Bool
  /// The name of the inverse, a relationship of the destination; nil without one.
  public var inverse: String?
  /// Whether an object may be without a member.
  public var isOptional: Bool
  /// The least number of members of a to-many; 0 means no limit.
  public var minimumCount: Int
  /// The greatest number of members of a to-many; 0 means no limit.
  public var maximumCount: Int
  /// The effect on the members when the owner is deleted.
  public var deleteRule: DeleteRule
  /// The name of the relationship in an earlier version of the model.
  public var renamingIdentifier: String?
  /// The annotations.
  public var userInfo: NameMap<String>

  /// Makes a relationship; as in Core Data, it is required unless `isOptional` is set.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - destination: The name of the destination entity.
  ///   - isToMany: Whether it may have more than one member.
  ///   - isOrdered: Whether the order of members is part of the value.
  ///   - inverse: The name of the inverse.
  ///   - isOptional: Whether an object may be without a member.
  ///   - minimumCount: The least number of members of a to-many; 0 means no limit.
  ///   - maximumCount: The greatest number of members of a to-many; 0 means no limit.
  ///   - deleteRule: The effect on the members when the owner is deleted.
  ///   - renamingIdentifier: The name in an earlier version of the model.
  ///   - userInfo: The annotations.
  public init(
    _ name: String, to destination: String, isToMany: Bool = false, isOrdered: Bool = false,
    inverse: String? = nil, isOptional: Bool = false, minimumCount: Int = 0,
    maximumCount: Int = 0, deleteRule: DeleteRule = .nullify, renamingIdentifier: String? = nil,
    userInfo: NameMap<String> = [:]
  ) {
    self.name = name
    self.destination = destination
    self.isToMany = isToMany
    self.isOrdered = isOrdered
    self.inverse = inverse
    self.isOptional = isOptional
    self.minimumCount = minimumCount
    self.maximumCount = maximumCount
    self.deleteRule = deleteRule
    self.renamingIdentifier = renamingIdentifier
    self.userInfo = userInfo
  }
}
