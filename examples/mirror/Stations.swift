import Groot

// A feed of stations where bicycles can be hired, and its model, in Swift alone.

struct Station: Entity {
  struct Properties: Sendable {
    let id = Attribute<Int64>("id", path: "station_id")
    let name = Attribute<String?>("name", path: "name")
    let bikes = Attribute<Int32?>("bikes", path: "availability.bikes")
    let seen = Attribute<Timestamp?>("seen", path: "last_reported")
    let city = ToOne<City>("city", path: "city", inverse: "stations")
  }
  static let properties = Properties()
  static let entity = EntityDescription("Station", userInfo: ["identityAttributes": "id"])
  let managedObject: ManagedObject
}

struct City: Entity {
  struct Properties: Sendable {
    let name = Attribute<String>("name", path: "name")
    let stations = ToMany<Station>("stations", inverse: "city")
  }
  static let properties = Properties()
  static let entity = EntityDescription("City", userInfo: ["identityAttributes": "name"])
  let managedObject: ManagedObject
}
