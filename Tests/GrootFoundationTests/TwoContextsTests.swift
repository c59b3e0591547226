import Foundation
import Groot
import GrootFoundation
import Testing

/// The law of two contexts: a call takes living objects of its own context alone, and with others it
/// fails and changes nothing.
struct TwoContextsTests {
  struct Card: Codable {
    let id: Int64
  }

  /// Two contexts in which the same numbers mean other objects.
  private struct World {
    let context: ManagedObjectContext
    let hero: Hero
    let friend: Hero
    let other: ManagedObjectContext

    init() throws {
      context = try Comics.context()
      other = try Comics.context()
      let feed = #"""
        [{"id": 1, "friends": [{"id": 2}], "publisher": {"id": 10}, "gadgets": [{"label": "rope"}]}]
        """#
      hero = try context.importText(feed, as: Hero.self)[0]
      friend = hero.friends[0]
      try context.save()
      _ = try other.importText(
        #"[{"id": 7, "publisher": {"id": 70}}, {"id": 8}, {"id": 9}]"#, as: Hero.self)
      try other.save()
    }

    /// All that the contexts have, and what is pending.
    func state() throws -> [String] {
      try [context, other].flatMap { context in
        try ["Hero", "Publisher", "Gadget"].flatMap { entity in
          try context.fetch(FetchRequest(entity)).map { try context.exportText($0) }
        } + ["\(try context.changes)"]
      }
    }
  }

  /// A call that takes an object, or the id of one.
  struct Call<Given>: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable (ManagedObjectContext, Hero, Given) throws -> Void

    init(
      _ name: String,
      _ make:
        @escaping @Sendable (
          _ context: ManagedObjectContext, _ own: Hero, _ given: Given
        ) throws -> Void
    ) {
      testDescription = name
      self.make = make
    }
  }

  static let calls: [Call<Hero>] = [
    Call("delete object") { try $0.delete($2.managedObject) },
    Call("delete entity") { try $0.delete($2) },
    Call("exportText object") { _ = try $0.exportText($2.managedObject) },
    Call("exportText objects") {
      _ = try $0.exportText([$1.managedObject, $2.managedObject])
    },
    Call("exportText entity") { _ = try $0.exportText($2) },
    Call("exportText entities") { _ = try $0.exportText([$1, $2]) },
    Call("exportValue object") { _ = try $0.exportValue($2.managedObject) },
    Call("exportValue objects") {
      _ = try $0.exportValue([$1.managedObject, $2.managedObject])
    },
    Call("exportData object") { _ = try $0.exportData($2.managedObject) },
    Call("exportData objects") {
      _ = try $0.exportData([$1.managedObject, $2.managedObject])
    },
    Call("exportData entity") { _ = try $0.exportData($2) },
    Call("exportData entities") { _ = try $0.exportData([$1, $2]) },
    Call("decode object") { _ = try $0.decode(Card.self, from: $2.managedObject) },
    Call("decode objects") {
      _ = try $0.decode(Card.self, from: [$1.managedObject, $2.managedObject])
    },
    Call("decode entity") { _ = try $0.decode(Card.self, from: $2) },
    Call("decode entities") { _ = try $0.decode(Card.self, from: [$1, $2]) },
    Call("decode export of object") {
      _ = try $0.decode(Card.self, fromExportOf: $2.managedObject)
    },
    Call("decode export of objects") {
      _ = try $0.decode(Card.self, fromExportOf: [$1.managedObject, $2.managedObject])
    },
    Call("decode export of entity") { _ = try $0.decode(Card.self, fromExportOf: $2) },
    Call("decode export of entities") { _ = try $0.decode(Card.self, fromExportOf: [$1, $2]) },
    Call("set a to-many") { try $1.managedObject.set("friends", to: [$2.managedObject]) },
    Call("add") { try $1.managedObject.add($2.managedObject, to: "friends") },
    Call("remove") { try $1.managedObject.remove($2.managedObject, from: "friends") },
    Call("typed to-many") {
      $1.friends = [$2]
      try $0.checkAccess()
    },
    Call("typed to-many of both") {
      $1.friends = [$1.friends[0], $2]
      try $0.checkAccess()
    },
    Call("typed append") {
      $1.friends.append($2)
      try $0.checkAccess()
    },
    Call("set a to-one of a gadget") {
      try $1.gadgets[0].managedObject.set("owner", to: $2.managedObject)
    },
    Call("typed to-one of a gadget") {
      $1.gadgets[0].owner = $2
      try $0.checkAccess()
    },
  ]

  @Test(arguments: calls)
  func anObjectOfAnotherContextIsRefused(call: Call<Hero>) throws {
    let world = try World()
    let before = try world.state()
    for given in try world.other.fetch(Hero.self) {
      expectFailure(.invalidArgument) {
        try call.make(world.context, world.hero, given)
      }
    }
    #expect(try world.state() == before)
  }

  @Test(arguments: calls)
  func aDeletedObjectIsRefused(call: Call<Hero>) throws {
    let world = try World()
    let given = try world.context.insert(Hero.self)
    try world.context.delete(given)
    let before = try world.state()
    expectFailure(.objectDeleted) {
      try call.make(world.context, world.hero, given)
    }
    #expect(try world.state() == before)
  }

  @Test(arguments: calls)
  func anObjectWhosePlaceAnotherHasIsRefused(call: Call<Hero>) throws {
    let world = try World()
    let given = try world.context.insert(Hero.self)
    given.id = 3
    try world.context.save()
    try world.context.delete(given)
    try world.context.save()
    for id in 20..<40 { try world.context.insert(Hero.self).id = Int64(id) }
    try world.context.save()
    let before = try world.state()
    expectFailure(.objectDeleted) {
      try call.make(world.context, world.hero, given)
    }
    #expect(try world.state() == before)
  }

  static let callsOfIDs: [Call<ObjectID>] = [
    Call("delete") { try $0.delete($2) },
    Call("object") { _ = try $0.object($2) },
    Call("entity") { _ = try $0.entity(of: $2) },
    Call("value") { _ = try $0.value(.name("name"), of: $2) },
    Call("setValue") { try $0.setValue(.string("x"), for: .name("name"), of: $2) },
    Call("target") { _ = try $0.target(.name("publisher"), of: $2) },
    Call("setTarget") { try $0.setTarget(nil, for: .name("publisher"), of: $2) },
    Call("setTarget to") {
      try $0.setTarget($2, for: .name("owner"), of: $1.gadgets[0].managedObject.id)
    },
    Call("members") { _ = try $0.members(.name("friends"), of: $2) },
    Call("memberCount") { _ = try $0.memberCount(.name("friends"), of: $2) },
    Call("contains of") {
      _ = try $0.contains($1.managedObject.id, in: .name("friends"), of: $2)
    },
    Call("contains") {
      _ = try $0.contains($2, in: .name("friends"), of: $1.managedObject.id)
    },
    Call("add of") { try $0.add($1.managedObject.id, to: .name("friends"), of: $2) },
    Call("add") { try $0.add($2, to: .name("friends"), of: $1.managedObject.id) },
    Call("remove of") { try $0.remove($1.managedObject.id, from: .name("friends"), of: $2) },
    Call("remove") { try $0.remove($2, from: .name("friends"), of: $1.managedObject.id) },
    Call("setMembers of") { try $0.setMembers([], for: .name("friends"), of: $2) },
    Call("setMembers") {
      try $0.setMembers([$2], for: .name("friends"), of: $1.managedObject.id)
    },
    Call("fill") { try $0.fill($2, from: #"{"name": "x"}"#) },
    Call("column") { _ = try $0.column("name", of: "Hero", objects: [$1.managedObject.id, $2]) },
    Call("exportBytes") { _ = try $0.exportBytes([$1.managedObject.id, $2]) },
    Call("exportData") { _ = try $0.exportData([$1.managedObject.id, $2]) },
    Call("export") { _ = try $0.export([$1.managedObject.id, $2]) { _ in } },
    Call("sync below a parent") {
      var options = SyncOptions()
      options.parent = $2
      try $0.sync("Hero", with: "[]", options: options)
    },
  ]

  @Test(arguments: callsOfIDs)
  func anIDWhosePlaceAnotherHasIsRefused(call: Call<ObjectID>) throws {
    let world = try World()
    let given = try world.context.insert(Hero.self)
    given.id = 3
    try world.context.save()
    let id = given.managedObject.id
    try world.context.delete(given)
    let before = try world.state()
    expectFailure(.objectDeleted) {
      try call.make(world.context, world.hero, id)
    }
    #expect(try world.state() == before)
    try world.context.save()
    for id in 20..<40 { try world.context.insert(Hero.self).id = Int64(id) }
    try world.context.save()
    let later = try world.state()
    expectFailure(.objectDeleted) {
      try call.make(world.context, world.hero, id)
    }
    #expect(try world.state() == later)
  }
}
