#if Entities

/// An entity as a Swift type: its properties are members, whose types the compiler checks.
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
/// A value of this type refers to an object in its context: copies refer to the same object, and
/// changing a property changes the object. Reads and writes of properties do not throw. The context
/// keeps a failure, such as the use of a deleted object. The next import, export, fetch, aggregate,
/// save or refresh throws it: see ``ManagedObjectContext/checkAccess()``.
///
/// ``managedObject`` is its only other member, so that properties may have any other name.
@dynamicMemberLookup
public protocol Entity: Hashable {
  /// The type of the properties, including inherited ones, by their names in the program.
  associatedtype Properties: Sendable
  /// The properties.
  static var properties: Properties { get }
  /// The name of the entity and, for a model made from types, its parent and annotations.
  ///
  /// By default, it has only a name, that of the type.
  static var entity: EntityDescription { get }

  /// The object without its type, with properties by name.
  var managedObject: ManagedObject { get }
  /// Makes a typed object, unchecked.
  ///
  /// Programs use ``init(_:)-(ManagedObject)``, which checks the entity, or the calls of a context.
  init(managedObject: ManagedObject)
}

extension Entity {
  /// The default entity, with the type's name.
  public static var entity: EntityDescription { EntityDescription("\(Self.self)") }

  /// Makes the same object with the type of another entity; nil if it is not of that entity.
  public init?(_ other: some Entity) {
    self.init(other.managedObject)
  }

  /// Makes a typed object; nil if the object is not of the entity, or deleted.
  public init?(_ object: ManagedObject) {
    guard object.context.isObject(object.id, of: Self.self) else { return nil }
    self.init(managedObject: object)
  }

  /// The content of a property: the value of an attribute, or the members of a relationship.
  ///
  /// If the value of an attribute is missing and the type is not optional, it is
  /// ``AttributeValue/absent``, and the context keeps a failure.
  @inlinable
  public subscript<Content, Property: TypedProperty<Content>>(
    dynamicMember path: KeyPath<Properties, Property>
  ) -> Content {
    get { Self.properties[keyPath: path].content(of: managedObject) }
    nonmutating set { Self.properties[keyPath: path].set(newValue, of: managedObject) }
  }
}

#endif
