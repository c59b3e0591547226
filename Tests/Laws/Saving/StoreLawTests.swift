import GrootSQLite
import Testing

@testable import Groot

/// The law of stores: what was saved comes back as it was.
struct StoreLawTests {
  /// Everything in a context but ids and marks: objects by their numbers, in order.
  private func content(_ context: ManagedObjectContext) throws -> [String] {
    try ["Badge", "Leaf", "Node", "Tag"].flatMap { entity in
      try context.fetch(FetchRequest(entity, sort: [.ascending("number")])).map { object in
        try context.text(object, sortsUnordered: false) {
          "\(try $0.entityName()) \(try $0["number"])"
        }
      }
    }
  }

  /// Each object has a number of its own, by which it is known before and after.
  private static func numbered() throws -> Mapping {
    let entities = try GraphLawTests.mapping().model.entities.map { entity in
      var entity = entity
      if entity.parent == nil {
        entity.attributes.append(AttributeDescription("number", .integer64, isOptional: true))
      }
      return entity
    }
    return try Mapping(model: ManagedObjectModel(entities: entities))
  }

  /// Gives every object that has none a number, and unique keys.
  private func number(_ context: ManagedObjectContext, _ next: inout Int64) throws {
    for entity in ["Node", "Tag", "Badge"] {
      for object in try context.fetch(FetchRequest(entity)) {
        if try object["number"].isNull {
          try object.set("number", to: .integer(next))
          next += 1
        }
        if entity == "Node" {
          let number = try object["number"].integerValue ?? 0
          let key: Value = number % 5 == 0 ? .null : .integer(number * 7 % 1009)
          try object.set("key", to: key)
        }
      }
    }
  }

  @Test(arguments: 0..<12)
  func savedObjectsComeBack(seed: Int) throws {
    let kinds = StoreKind.present
    var place = try kinds[0].place()
    let mapping = try Self.numbered()
    var context = try place.context(mapping)
    var driver = GraphLawTests.Driver(
      context: context, random: SeededGenerator(seed: seed))
    var next: Int64 = 1
    for round in 0..<12 {
      for _ in 0..<25 { try driver.step() }
      if round % 3 == 1 {
        _ = try content(context)
        try context.rollback()
        for _ in 0..<25 { try driver.step() }
      }
      try number(context, &next)
      let ids = try context.fetchIDs(FetchRequest("Node"))
      try context.save()
      #expect(try context.fetchIDs(FetchRequest("Node")) == ids)
      let expected = try content(context)
      var reopened = try place.context(mapping)
      #expect(reopened.brokenInvariants() == [])
      #expect(try reopened.changes == ChangeCounts())
      #expect(try content(reopened) == expected, "seed \(seed), round \(round)")
      if round % 4 == 2 {
        // A copy, in whichever database, is as its original, also for all that follows.
        let other = try kinds[(seed + round / 4) % kinds.count].place()
        let copy = try other.context(mapping)
        try reopened.copyStore(to: copy)
        #expect(copy.brokenInvariants() == [])
        #expect(try content(copy) == expected, "the copy of seed \(seed), round \(round)")
        (place, reopened) = (other, copy)
      }
      if round % 2 == 0 {
        context = reopened
        driver = GraphLawTests.Driver(context: context, random: driver.random)
      }
    }
  }

  /// What others saved is seen after a refresh, and objects keep their ids.
  @Test(arguments: 0..<12)
  func aRefreshSeesWhatOthersSaved(seed: Int) throws {
    let file = try StoreFile()
    let mapping = try Self.numbered()
    var contexts = try (0..<2).map { _ in
      try ManagedObjectContext(mapping: mapping, storePath: file.path)
    }
    var random = SeededGenerator(seed: seed)
    var next: Int64 = 1
    for round in 0..<12 {
      let (writer, reader) = (contexts[0], contexts[1])
      var driver = GraphLawTests.Driver(context: writer, random: random)
      for _ in 0..<25 { try driver.step() }
      random = driver.random
      try number(writer, &next)
      try writer.save()
      // What the reader has not saved is undone.
      var other = GraphLawTests.Driver(context: reader, random: random)
      if round % 3 == 2 { for _ in 0..<10 { try other.step() } }
      try reader.rollback()
      let before = try reader.fetch(FetchRequest("Node"))
      let numbers = try before.map { try $0["number"] }
      if round % 3 == 2 { for _ in 0..<10 { try other.step() } }
      try reader.refresh()
      #expect(reader.brokenInvariants() == [])
      #expect(try reader.changes == ChangeCounts())
      #expect(
        try content(reader) == content(writer), "seed \(seed), round \(round)")
      for (object, number) in zip(before, numbers) where !object.isDeleted {
        #expect(try object["number"] == number)
      }
      let dumped = dump(reader)
      try reader.refresh()
      #expect(dump(reader) == dumped)
      contexts.reverse()
    }
  }

  @Test(arguments: 0..<8)
  func importsAreTheSameInAStore(seed: Int) throws {
    let file = try StoreFile()
    let mapping = try Mapping(model: ManagedObjectModel(document: Generated.document))
    let memory = ManagedObjectContext(mapping: mapping)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<4 {
      let people = Generated.people(15, &random)
      let stored = try ManagedObjectContext(mapping: mapping, storePath: file.path)
      let reports = try [memory, stored].map {
        try $0.importJSON(.value(people), into: "Person").report.json
      }
      #expect(reports[0] == reports[1])
      try memory.save()
      try stored.save()
      let reopened = try ManagedObjectContext(mapping: mapping, storePath: file.path)
      for entity in ["Person", "Company"] {
        let request = FetchRequest(entity, sort: [.ascending("key")])
        let texts = try [memory, stored, reopened].map { try $0.exportText($0.fetch(request)) }
        #expect(texts[0] == texts[1] && texts[0] == texts[2])
      }
    }
  }
}
