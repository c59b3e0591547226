import Foundation
import Groot
import GrootFoundation
import Testing

/// A hero with an attribute of each type of Foundation.
struct Hero: Entity {
  struct Properties: Sendable {
    let id = Attribute<Int64>("id", path: "id")
    let name = Attribute<String?>("name", path: "name")
    let born = Attribute<Date?>("born", path: "born")
    let debut = Attribute<CalendarDay?>("debut", path: "debut")
    let badge = Attribute<UUID?>("badge", path: "badge")
    let photo = Attribute<Data?>("photo", path: "photo")
    let wealth = Attribute<Decimal?>("wealth", path: "wealth")
    let page = Attribute<URL?>("page", path: "page")
    let notes = Attribute<JSONValue?>("notes", path: "notes")
    let publisher = ToOne<Publisher>("publisher", path: "publisher", inverse: "heroes")
    let friends = ToMany<Hero>("friends", path: "friends", inverse: "friends")
    let gadgets = ToMany<Gadget>("gadgets", path: "gadgets", inverse: "owner", isOrdered: true)
  }
  static let properties = Properties()
  static let entity = EntityDescription("Hero", userInfo: ["identityAttributes": "id"])
  let managedObject: ManagedObject
}

struct Publisher: Entity {
  struct Properties: Sendable {
    let id = Attribute<Int64>("id", path: "id")
    let name = Attribute<String?>("name", path: "name")
    let heroes = ToMany<Hero>("heroes", path: "heroes", inverse: "publisher")
  }
  static let properties = Properties()
  static let entity = EntityDescription("Publisher", userInfo: ["identityAttributes": "id"])
  let managedObject: ManagedObject
}

/// What nothing identifies.
struct Gadget: Entity {
  struct Properties: Sendable {
    let label = Attribute<String?>("label", path: "label")
    let owner = ToOne<Hero>("owner", path: "owner", inverse: "gadgets")
  }
  static let properties = Properties()
  let managedObject: ManagedObject
}

/// Contexts of these, and files for them.
enum Comics {
  static func mapping() throws -> Mapping {
    try Mapping(model: ManagedObjectModel(Hero.self, Publisher.self, Gadget.self))
  }

  static func context() throws -> ManagedObjectContext {
    ManagedObjectContext(mapping: try mapping())
  }

  /// So many heroes as JSON text.
  static func feed(_ count: Int) -> Data {
    let heroes = (0..<count).map { #"{"id": \#($0), "name": "hero \#($0)"}"# }
    return Data("[\(heroes.joined(separator: ",\n"))]".utf8)
  }

  /// The URL of a file that is not there yet.
  static func file() -> URL {
    FileManager.default.temporaryDirectory.appendingPathComponent("groot ä \(UUID()).json")
  }
}

/// Expects an error of a status, whose description has a part.
func expectFailure(
  _ status: Status, _ part: String = "", at location: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) {
  do {
    try body()
    Issue.record("this did not fail", sourceLocation: location)
  } catch let error as GrootError {
    #expect(error.status == status, "\(error)", sourceLocation: location)
    #expect(
      part.isEmpty || error.description.contains(part), "\(error)", sourceLocation: location)
  } catch {
    Issue.record("\(error)", sourceLocation: location)
  }
}
