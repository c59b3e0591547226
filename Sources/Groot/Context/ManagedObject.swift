/// An object together with its context: what Swift programs hold in their hands.
///
/// A value of two words; copies are the same object. Using one whose object was deleted throws.
public struct ManagedObject {
  /// Where the object is.
  public let context: ManagedObjectContext
  /// Its identity there.
  public let id: ObjectID

  init(context: ManagedObjectContext, id: ObjectID) {
    self.context = context
    self.id = id
  }

  /// The name of its entity.
  public func entityName() throws -> String { try context.entity(of: id).name }

  /// Whether it was deleted.
  public var isDeleted: Bool {
    switch context.status(of: id) {
    case .objectDeleted, .unknownObject: true
    default: false
    }
  }

  /// The value of an attribute; null also where ``value(_:)`` would throw.
  public subscript(_ name: String) -> Value { (try? value(name)) ?? .null }

  /// The value of an attribute.
  public func value(_ name: String) throws -> Value { try context.value(.name(name), of: id) }

  /// Sets an attribute.
  public func setValue(_ value: Value, for name: String) throws {
    try context.setValue(value, for: .name(name), of: id)
  }

  /// The member of a to-one relationship; nil when it has none.
  public func target(_ name: String) throws -> ManagedObject? {
    try context.target(.name(name), of: id).map { ManagedObject(context: context, id: $0) }
  }

  /// Sets a to-one relationship; the other direction follows.
  public func setTarget(_ target: ManagedObject?, for name: String) throws {
    try context.setTarget(target?.id, for: .name(name), of: id)
  }

  /// The members of a to-many relationship, in order.
  public func members(_ name: String) throws -> [ManagedObject] {
    try context.members(.name(name), of: id).map { ManagedObject(context: context, id: $0) }
  }

  /// Adds a member to a to-many relationship.
  public func add(_ member: ManagedObject, to name: String) throws {
    try context.add(member.id, to: .name(name), of: id)
  }

  /// Removes a member from a to-many relationship.
  public func remove(_ member: ManagedObject, from name: String) throws {
    try context.remove(member.id, from: .name(name), of: id)
  }

  /// Makes objects the members of a to-many relationship.
  public func setMembers(_ members: [ManagedObject], for name: String) throws {
    try context.setMembers(members.map(\.id), for: .name(name), of: id)
  }
}

extension ManagedObject: Hashable {
  /// The same object of the same context.
  public static func == (left: ManagedObject, right: ManagedObject) -> Bool {
    left.id == right.id && left.context === right.context
  }

  /// By the id.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
