/// An entity as a Swift type: its properties are members, with types the compiler checks.
///
/// ```swift
/// struct Hero: Entity {
///   struct Properties: Sendable {
///     let id = Attribute<Int64>("id", path: "id")
///     let name = Attribute<String?>("name", path: "name")
///     let publisher = ToOne<Publisher>("publisher", path: "publisher", inverse: "heroes")
///     let powers = ToMany<Power>("powers", path: "powers", inverse: "heroes")
///   }
///   static let properties = Properties()
///   static let entity = EntityDescription("Hero", userInfo: ["identityAttributes": "id"])
///   let managedObject: ManagedObject
/// }
///
/// let heroes = try context.importText(text, as: Hero.self)
/// heroes[0].name = "Batman"
/// ```
///
/// A value of such a type is an object in its context: copies are the same object, and changing a
/// property changes it in the graph. Reads and writes of properties do not throw. A failure in one,
/// such as the use of a deleted object, is kept. The next call of the context that reads or writes
/// more than one property throws it: see ``ManagedObjectContext/checkAccess()``.
///
/// Other members than ``managedObject`` it has none, so that names of the model are free.
@dynamicMemberLookup
public protocol Entity: Hashable {
  /// The properties, inherited ones included, by the names that the program calls them.
  associatedtype Properties: Sendable
  /// The properties.
  static var properties: Properties { get }
  /// The entity's name; and, where the model is made of such types, its parent and annotations.
  ///
  /// Without one of its own, an entity has the name of the type and nothing else.
  static var entity: EntityDescription { get }

  /// The object as any other, whose properties are named by text.
  var managedObject: ManagedObject { get }
  /// Takes an object for one of the entity, unchecked.
  ///
  /// Programs use ``init(_:)-(ManagedObject)``, which checks, or a context's calls.
  init(managedObject: ManagedObject)
}

extension Entity {
  /// An entity of the type's name.
  public static var entity: EntityDescription { EntityDescription("\(Self.self)") }

  /// The same object as one of another entity; nil when it is not of that entity.
  public init?(_ other: some Entity) {
    self.init(other.managedObject)
  }

  /// An object as one of the entity; nil when it is not of the entity, or deleted.
  public init?(_ object: ManagedObject) {
    guard object.context.isObject(object.id, of: Self.self) else { return nil }
    self.init(managedObject: object)
  }

  /// The value of an attribute.
  ///
  /// Without a value, where the type has none for that, it is ``AttributeValue/absent``, and a
  /// failure to be told.
  @inlinable
  public subscript<Content>(
    dynamicMember path: KeyPath<Properties, Attribute<Content>>
  ) -> Content {
    get { managedObject.context.read(Self.properties[keyPath: path], of: managedObject.id) }
    nonmutating set {
      managedObject.context.write(
        newValue, to: Self.properties[keyPath: path], of: managedObject.id)
    }
  }

  /// The member of a to-one relationship.
  @inlinable
  public subscript<Destination>(
    dynamicMember path: KeyPath<Properties, ToOne<Destination>>
  ) -> Destination? {
    get { managedObject.context.read(Self.properties[keyPath: path], of: managedObject.id) }
    nonmutating set {
      managedObject.context.write(
        newValue, to: Self.properties[keyPath: path], of: managedObject.id)
    }
  }

  /// The members of a to-many relationship, in order.
  @inlinable
  public subscript<Destination>(
    dynamicMember path: KeyPath<Properties, ToMany<Destination>>
  ) -> Members<Destination> {
    get { managedObject.context.read(Self.properties[keyPath: path], of: managedObject.id) }
    nonmutating set {
      managedObject.context.write(
        newValue, to: Self.properties[keyPath: path], of: managedObject.id)
    }
  }
}
