/// An object together with its context, as Swift programs use it.
///
/// The value has two words, and copies refer to the same object. Any use of a deleted object
/// throws. The names of properties are looked up at run time; an ``Entity`` lets the compiler check
/// them.
public struct ManagedObject {
  /// The context of the object.
  public let context: ManagedObjectContext
  /// The id of the object in its context.
  public let id: ObjectID

  /// Makes an object from an id of a context.
  @inlinable
  public init(context: ManagedObjectContext, id: ObjectID) {
    self.context = context
    self.id = id
  }

  /// Returns the name of the object's entity.
  ///
  /// - Throws: as ``ManagedObjectContext/entity(of:)``.
  public func entityName() throws(GrootError) -> String { try context.entity(of: id).name }

  /// Whether the object was deleted.
  public var isDeleted: Bool {
    switch context.status(of: id) {
    case .objectDeleted, .unknownObject: true
    default: false
    }
  }
}

extension ManagedObject {
  /// The value of an attribute.
  ///
  /// - Throws: as ``ManagedObjectContext/value(_:of:)``.
  public subscript(_ name: String) -> Value {
    get throws(GrootError) { try context.value(.name(name), of: id) }
  }

  /// Returns the member of a to-one relationship; nil without a member.
  ///
  /// - Throws: as ``ManagedObjectContext/target(_:of:)``.
  public func target(_ name: String) throws(GrootError) -> ManagedObject? {
    try context.target(.name(name), of: id).map { ManagedObject(context: context, id: $0) }
  }

  /// Returns the members of a to-many relationship, in order.
  ///
  /// - Throws: as ``ManagedObjectContext/members(_:of:)``.
  public func members(_ name: String) throws(GrootError) -> [ManagedObject] {
    try context.members(.name(name), of: id).map { ManagedObject(context: context, id: $0) }
  }
}

extension ManagedObject {
  /// Sets an attribute; ``Value/null`` removes its value.
  ///
  /// - Throws: as ``ManagedObjectContext/setValue(_:for:of:)``.
  public func set(_ name: String, to value: Value) throws(GrootError) {
    try context.setValue(value, for: .name(name), of: id)
  }

  /// Sets a to-one relationship and its inverse; nil clears a property of any kind.
  ///
  /// - Throws: as ``ManagedObjectContext/setTarget(_:for:of:)`` and
  ///   ``ManagedObjectContext/clear(_:of:)``; ``Status/invalidArgument`` for an object of another
  ///   context.
  public func set(_ name: String, to target: ManagedObject?) throws(GrootError) {
    guard let target else { return try context.clear(.name(name), of: id) }
    try requireOwn(target, name)
    try context.setTarget(target.id, for: .name(name), of: id)
  }

  /// Sets the members of a to-many relationship.
  ///
  /// - Throws: as ``ManagedObjectContext/setMembers(_:for:of:)``; ``Status/invalidArgument`` for an
  ///   object of another context.
  public func set(_ name: String, to members: [ManagedObject]) throws(GrootError) {
    for member in members { try requireOwn(member, name) }
    try context.setMembers(members.map(\.id), for: .name(name), of: id)
  }

  /// Adds a member to a to-many relationship.
  ///
  /// - Throws: as ``ManagedObjectContext/add(_:to:of:)``; ``Status/invalidArgument`` for an object
  ///   of another context.
  public func add(_ member: ManagedObject, to name: String) throws(GrootError) {
    try requireOwn(member, name)
    try context.add(member.id, to: .name(name), of: id)
  }

  /// Removes a member from a to-many relationship.
  ///
  /// - Throws: as ``ManagedObjectContext/remove(_:from:of:)``; ``Status/invalidArgument`` for an
  ///   object of another context.
  public func remove(_ member: ManagedObject, from name: String) throws(GrootError) {
    try requireOwn(member, name)
    try context.remove(member.id, from: .name(name), of: id)
  }

  private func requireOwn(_ object: ManagedObject, _ name: String) throws(GrootError) {
    try context.requireOwn(object.context, property: name)
  }
}

extension ManagedObject: Hashable {
  /// Returns whether two values refer to the same object of the same context.
  public static func == (left: ManagedObject, right: ManagedObject) -> Bool {
    left.id == right.id && left.context === right.context
  }

  /// Hashes the id.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
