import Groot

// The entities of a model as types, written by `python -m groot generate swift`.
// Changes here are lost when the file is written again.

/// The entities of a model.
public enum Shop {
  /// All of them, for `ManagedObjectModel(_:)`.
  public static var entities: [any Entity.Type] {
    [Book.self, Item.self, Shelf.self]
  }

  /// An entity whose objects are identified by `code`.
  public struct Book: Entity {
    /// The properties by their names.
    public struct Properties: Sendable {
      /// A required text, from `code`.
      public let code = Attribute<String>(
        "code", path: "code", constraints: AttributeDescription.Constraints(minimumLength: 1))
      /// A required decimal number, from `price`.
      public let price = Attribute<DecimalNumber>(
        "price", path: "price", default: 9.9,
        constraints: AttributeDescription.Constraints(minimum: .decimal(0)))
      /// The day it came into the shop.
      public let since = Attribute<Timestamp?>(
        "since", path: "meta.since", isOptional: false, renamingIdentifier: "from",
        annotations: ["comment": "The day it came into the shop."])
      /// One `Shelf` or none, from `shelf`.
      public let shelf = ToOne<Shelf>("shelf", path: "shelf", inverse: "items")
      /// An optional URI, from `cover`.
      public let cover = Attribute<String?>("cover", path: "cover", type: .uri)
      /// An optional whole number, from `pages`.
      public let pages = Attribute<Int32?>(
        "pages", path: "pages", transformer: "StringToInteger",
        constraints: AttributeDescription.Constraints(
          minimum: .integer(1), maximum: .integer(10000)))
      /// An optional composite value, from `size`.
      public let size = Attribute<JSONValue?>(
        "size", path: "size", type: .composite,
        elements: [
          AttributeDescription("height", .double, isOptional: true),
          AttributeDescription("width", .double, defaultValue: .real(0.1)),
        ])

      /// Makes the properties.
      public init() {}
    }
    /// The properties.
    public static let properties = Properties()
    /// The declaration of the entity in the model.
    public static let entity = EntityDescription("Book", parent: "Item")
    /// The object as any other.
    public let managedObject: ManagedObject

    /// Takes an object for one of the entity, unchecked.
    public init(managedObject: ManagedObject) {
      self.managedObject = managedObject
    }
  }

  /// What is sold.
  public struct Item: Entity {
    /// The properties by their names.
    public struct Properties: Sendable {
      /// A required text, from `code`.
      public let code = Attribute<String>(
        "code", path: "code", constraints: AttributeDescription.Constraints(minimumLength: 1))
      /// A required decimal number, from `price`.
      public let price = Attribute<DecimalNumber>(
        "price", path: "price", default: 9.9,
        constraints: AttributeDescription.Constraints(minimum: .decimal(0)))
      /// The day it came into the shop.
      public let since = Attribute<Timestamp?>(
        "since", path: "meta.since", isOptional: false, renamingIdentifier: "from",
        annotations: ["comment": "The day it came into the shop."])
      /// One `Shelf` or none, from `shelf`.
      public let shelf = ToOne<Shelf>("shelf", path: "shelf", inverse: "items")

      /// Makes the properties.
      public init() {}
    }
    /// The properties.
    public static let properties = Properties()
    /// The declaration of the entity in the model.
    public static let entity = EntityDescription(
      "Item", isAbstract: true, uniquenessConstraints: [["code"]],
      userInfo: ["documentation": "What is sold.", "identityAttributes": "code"])
    /// The object as any other.
    public let managedObject: ManagedObject

    /// Takes an object for one of the entity, unchecked.
    public init(managedObject: ManagedObject) {
      self.managedObject = managedObject
    }
  }

  /// An entity whose objects are identified by `number`.
  public struct Shelf: Entity {
    /// The properties by their names.
    public struct Properties: Sendable {
      /// An optional UUID.
      public let `class` = Attribute<UUIDValue?>("class", isTransient: true)
      /// A required whole number.
      public let number = Attribute<Int16>("number", annotations: ["sync.isPrimaryKey": "YES"])
      /// Up to 20 `Item` in order.
      public let items = ToMany<Item>(
        "items", inverse: "shelf", isOrdered: true, maximumCount: 20, deleteRule: .deny)

      /// Makes the properties.
      public init() {}
    }
    /// The properties.
    public static let properties = Properties()
    /// The declaration of the entity in the model.
    public static let entity = EntityDescription("Shelf")
    /// The object as any other.
    public let managedObject: ManagedObject

    /// Takes an object for one of the entity, unchecked.
    public init(managedObject: ManagedObject) {
      self.managedObject = managedObject
    }
  }
}
