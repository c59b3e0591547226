import Groot

// A model in Swift alone, as a program of its own would declare it.

enum Side: String, CaseIterable, AttributeValue {
  case good, bad
}

struct Hero: Entity {
  struct Properties: Sendable {
    let id = Attribute<Int64>("id", path: "id", transformer: "StringToInteger")
    let name = Attribute<String?>("name", path: "name")
    let side = Attribute<Side?>("side", path: "side")
    let rating = Attribute<DecimalNumber?>("rating", path: "stats.rating")
    let isActive = Attribute<Bool>("isActive", path: "active", default: true)
    let born = Attribute<Timestamp?>("born", path: "born")
    let publisher = ToOne<Publisher>("publisher", path: "publisher", inverse: "heroes")
    let powers = ToMany<Power>("powers", path: "powers", inverse: "heroes", isOrdered: true)
  }
  static let properties = Properties()
  static let entity = EntityDescription("Hero", userInfo: ["identityAttributes": "id"])
  let managedObject: ManagedObject
}

struct Sidekick: Entity {
  struct Properties: Sendable {
    let id = Attribute<Int64>("id", path: "id", transformer: "StringToInteger")
    let mentor = ToOne<Hero>("mentor", path: "mentor")
  }
  static let properties = Properties()
  static let entity = EntityDescription("Sidekick", parent: "Hero")
  let managedObject: ManagedObject
}

struct Publisher: Entity {
  struct Properties: Sendable {
    let name = Attribute<String>("name", path: "name")
    let heroes = ToMany<Hero>("heroes", inverse: "publisher")
  }
  static let properties = Properties()
  static let entity = EntityDescription("Publisher", userInfo: ["identityAttributes": "name"])
  let managedObject: ManagedObject
}

struct Power: Entity {
  struct Properties: Sendable {
    let name = Attribute<String>("name", path: "name")
    let heroes = ToMany<Hero>("heroes", inverse: "powers")
  }
  static let properties = Properties()
  static let entity = EntityDescription("Power", userInfo: ["identityAttributes": "name"])
  let managedObject: ManagedObject
}

/// A type that says of an entity what the model does not.
struct Stranger: Entity {
  struct Properties: Sendable {
    let name = Attribute<Int64?>("name")
    let powers = ToOne<Power>("powers")
    let shoeSize = Attribute<Int16?>("shoeSize")
  }
  static let properties = Properties()
  static let entity = EntityDescription("Hero")
  let managedObject: ManagedObject
}

func openComics() throws(GrootError) -> ManagedObjectContext {
  var registry = TransformerRegistry()
  registry.setBuiltin("StringToInteger", to: .integerText)
  let model = try ManagedObjectModel(Hero.self, Sidekick.self, Publisher.self, Power.self)
  return ManagedObjectContext(mapping: try Mapping(model: model, registry: registry))
}

let feed = """
  [{"id": "1", "name": "Batman", "side": "good", "stats": {"rating": 9.5}, "born": "1939-03-30",
    "publisher": "DC", "powers": ["Wealth", "Wits"]},
   {"id": "2", "name": "Hulk", "stats": {"rating": 8}, "publisher": "Marvel", "powers": ["Strength"]},
   {"id": "3", "name": "Joker", "side": "bad", "active": false, "publisher": "DC", "powers": []}]
  """
