import Groot

// The entities of a model as types, written by `python -m groot generate swift`.
// Changes here are lost when the file is written again.

/// An entity whose objects are identified by `code`.
struct Book: Entity {
  struct Properties: Sendable {
    /// A required text, from `code`.
    let code = Attribute<String>(
      "code", path: "code", constraints: AttributeDescription.Constraints(minimumLength: 1))
    /// A required decimal number, from `price`.
    let price = Attribute<DecimalNumber>(
      "price", path: "price", default: 9.9,
      constraints: AttributeDescription.Constraints(minimum: .decimal(0)))
    /// The day it came into the shop.
    let since = Attribute<Timestamp?>(
      "since", path: "meta.since", isOptional: false, renamingIdentifier: "from",
      annotations: ["comment": "The day it came into the shop."])
    /// One `Shelf` or none, from `shelf`.
    let shelf = ToOne<Shelf>("shelf", path: "shelf", inverse: "items")
    /// An optional URI, from `cover`.
    let cover = Attribute<String?>("cover", path: "cover", type: .uri)
    /// An optional whole number, from `pages`.
    let pages = Attribute<Int32?>(
      "pages", path: "pages", transformer: "StringToInteger",
      constraints: AttributeDescription.Constraints(minimum: .integer(1), maximum: .integer(10000)))
    /// An optional composite value, from `size`.
    let size = Attribute<JSONValue?>(
      "size", path: "size", type: .composite,
      elements: [
        AttributeDescription("height", .double, isOptional: true),
        AttributeDescription("width", .double, defaultValue: .real(0.1)),
      ])
  }
  static let properties = Properties()
  static let entity = EntityDescription("Book", parent: "Item")
  let managedObject: ManagedObject
}

/// What is sold.
struct Item: Entity {
  struct Properties: Sendable {
    /// A required text, from `code`.
    let code = Attribute<String>(
      "code", path: "code", constraints: AttributeDescription.Constraints(minimumLength: 1))
    /// A required decimal number, from `price`.
    let price = Attribute<DecimalNumber>(
      "price", path: "price", default: 9.9,
      constraints: AttributeDescription.Constraints(minimum: .decimal(0)))
    /// The day it came into the shop.
    let since = Attribute<Timestamp?>(
      "since", path: "meta.since", isOptional: false, renamingIdentifier: "from",
      annotations: ["comment": "The day it came into the shop."])
    /// One `Shelf` or none, from `shelf`.
    let shelf = ToOne<Shelf>("shelf", path: "shelf", inverse: "items")
  }
  static let properties = Properties()
  static let entity = EntityDescription(
    "Item", isAbstract: true, uniquenessConstraints: [["code"]],
    userInfo: ["documentation": "What is sold.", "identityAttributes": "code"])
  let managedObject: ManagedObject
}

/// An entity whose objects are identified by `number`.
struct Shelf: Entity {
  struct Properties: Sendable {
    /// An optional UUID.
    let `class` = Attribute<UUIDValue?>("class", isTransient: true)
    /// A required whole number.
    let number = Attribute<Int16>("number", annotations: ["sync.isPrimaryKey": "YES"])
    /// Up to 20 `Item` in order.
    let items = ToMany<Item>(
      "items", inverse: "shelf", isOrdered: true, maximumCount: 20, deleteRule: .deny)
  }
  static let properties = Properties()
  static let entity = EntityDescription("Shelf")
  let managedObject: ManagedObject
}
