/// An object together with its context: the value that Swift programs work with.
///
/// A value of two words; copies are the same object. Using one whose object was deleted throws. The
/// names of properties are looked up at run time; an ``Entity`` has them checked by the compiler.
public struct ManagedObject {
  /// Where the object is.
  public let context: ManagedObjectContext
  /// Its identity there.
  public let id: ObjectID

  /// Takes an id of a context for an object.
  @inlinable
  public init(context: ManagedObjectContext, id: ObjectID) {
    self.context = context
    self.id = id
  }

  /// The name of its entity.
  ///
  /// - Throws: as ``ManagedObjectContext/entity(of:)``.
  public func entityName() throws(GrootError) -> String { try context.entity(of: id).name }

  /// Whether it was deleted.
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

  /// The member of a to-one relationship; nil when it has none.
  ///
  /// - Throws: as ``ManagedObjectContext/target(_:of:)``.
  public func target(_ name: String) throws(GrootError) -> ManagedObject? {
    try context.target(.name(name), of: id).map { ManagedObject(context: context, id: $0) }
  }

  /// The members of a to-many relationship, in order.
  ///
  /// - Throws: as ``ManagedObjectContext/members(_:of:)``.
  public func members(_ name: String) throws(GrootError) -> [ManagedObject] {
    try context.members(.name(name), of: id).map { ManagedObject(context: context, id: $0) }
  }
}

extension ManagedObject {
  /// Sets an attribute; ``Value/null`` takes its value away.
  ///
  /// - Throws: as ``ManagedObjectContext/setValue(_:for:of:)``.
  public func set(_ name: String, to value: Value) throws(GrootError) {
    try context.setValue(value, for: .name(name), of: id)
  }

  /// Sets a to-one relationship; the other direction follows.
  ///
  /// - Throws: as ``ManagedObjectContext/setTarget(_:for:of:)``; ``Status/invalidArgument`` for an
  ///   object of another context.
  public func set(_ name: String, to target: ManagedObject?) throws(GrootError) {
    try requireOwn(target, name)
    try context.setTarget(target?.id, for: .name(name), of: id)
  }

  /// Makes objects the members of a to-many relationship.
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

  private func requireOwn(_ object: ManagedObject?, _ name: String) throws(GrootError) {
    if let object { try context.requireOwn(object.context, property: name) }
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
