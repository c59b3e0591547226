import Groot

// The entities of comics.json as types: what the program uses of them.

struct Hero: Entity {
  struct Properties: Sendable {
    let identifier = Attribute<Int64>("identifier")
    let name = Attribute<String?>("name")
    let realName = Attribute<String?>("realName")
    let powers = ToMany<Power>("powers")
    let publisher = ToOne<Publisher>("publisher")
  }
  static let properties = Properties()
  static let entity = EntityDescription("Character")
  let managedObject: ManagedObject
}

struct Power: Entity {
  struct Properties: Sendable {
    let identifier = Attribute<Int64>("identifier")
    let name = Attribute<String?>("name")
  }
  static let properties = Properties()
  let managedObject: ManagedObject
}

struct Publisher: Entity {
  struct Properties: Sendable {
    let name = Attribute<String?>("name")
    let characters = ToMany<Hero>("characters")
  }
  static let properties = Properties()
  let managedObject: ManagedObject
}

struct Message: Entity {
  struct Properties: Sendable {
    let identifier = Attribute<Int64>("identifier")
  }
  static let properties = Properties()
  let managedObject: ManagedObject
}

struct TextMessage: Entity {
  struct Properties: Sendable {
    let text = Attribute<String?>("text")
  }
  static let properties = Properties()
  let managedObject: ManagedObject
}

struct PictureMessage: Entity {
  struct Properties: Sendable {
    let imageURL = Attribute<String?>("imageURL", type: .uri)
  }
  static let properties = Properties()
  let managedObject: ManagedObject
}
