import Testing

import Groot
import GrootSQLite

/// Files of which a page is not what it was.
struct StoreDamageTests {
  private static let pageSize = 4096

  private func mapping() throws -> Mapping {
    try Mapping(
      model: ManagedObjectModel(
        document: """
          {"entities": {
            "Hero": {"userInfo": {"identityAttributes": "id"},
              "attributes": {
                "id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}},
                "name": {"type": "string", "userInfo": {"JSONKeyPath": "name"}}},
              "relationships": {
                "mentor": {"destination": "Hero", "optional": true, "inverse": "pupils",
                  "userInfo": {"JSONKeyPath": "mentor"}},
                "pupils": {"destination": "Hero", "toMany": true, "optional": true,
                  "inverse": "mentor"},
                "powers": {"destination": "Power", "toMany": true, "optional": true,
                  "inverse": "heroes", "userInfo": {"JSONKeyPath": "powers"}}}},
            "Power": {"userInfo": {"identityAttributes": "name"},
              "attributes": {"name": {"type": "string", "userInfo": {"JSONKeyPath": "name"}}},
              "relationships": {"heroes": {"destination": "Hero", "toMany": true,
                "optional": true, "inverse": "powers"}}}}}
          """))
  }

  /// What is in a store, and that it can be imported anew; a failure changes nothing.
  private func use(_ mapping: Mapping, _ file: StoreFile) throws -> String {
    let context = try ManagedObjectContext(mapping: mapping, storePath: file.path)
    do {
      let heroes = try context.fetch(FetchRequest("Hero"))
      let text = try context.exportText(heroes)
      #expect(try context.importJSON(.text(text), into: "Hero").report.updated == 0)
      for power in try context.fetch(FetchRequest("Power")) { _ = try power.members("heroes") }
      return text
    } catch {
      #expect(context.brokenInvariants() == [])
      #expect(try context.changes == ChangeCounts())
      throw error
    }
  }

  @Test(arguments: [0x00, 0xFF, nil] as [UInt8?])
  func aDamagedPageIsToldOrDoesNoHarm(filling: UInt8?) throws {
    let mapping = try mapping()
    let file = try StoreFile()
    try {
      let context = try ManagedObjectContext(mapping: mapping, storePath: file.path)
      let heroes = (1...300).map { id in
        #"{"id": \#(id), "name": "a name of hero \#(id)", "mentor": \#(id / 2 + 1), "#
          + #""powers": ["Flight", "Power \#(id % 7)"]}"#
      }
      try context.importJSON("[\(heroes.joined(separator: ","))]", into: "Hero")
      try context.save()
    }()
    let whole = try use(mapping, file)
    let bytes = try file.bytes()
    let pages = bytes.count / Self.pageSize
    #expect(pages > 12)
    var random = SeededGenerator(seed: 3)
    var told = 0
    for page in 0..<pages {
      var damaged = bytes
      for offset in 0..<Self.pageSize {
        damaged[page * Self.pageSize + offset] =
          filling ?? UInt8.random(in: 0...255, using: &random)
      }
      try file.replace(damaged)
      do {
        // What is not read does not matter: free pages, and indexes that nothing asked.
        #expect(try use(mapping, file) == whole, "page \(page)")
      } catch let error as GrootError {
        #expect(error.status == .storeInvalid, "page \(page): \(error)")
        #expect(try file.bytes() == damaged, "page \(page)")
        told += 1
      }
      try file.replace(bytes)
      #expect(try use(mapping, file) == whole)
    }
    #expect(told > pages / 2)
  }

  @Test func aFileThatWasCutIsToldAndStaysAsItIs() throws {
    let mapping = try mapping()
    let file = try StoreFile()
    try {
      let context = try ManagedObjectContext(mapping: mapping, storePath: file.path)
      let heroes = (1...300).map { #"{"id": \#($0), "name": "a name of hero \#($0)"}"# }
      try context.importJSON("[\(heroes.joined(separator: ","))]", into: "Hero")
      try context.save()
    }()
    let bytes = try file.bytes()
    for length in [99, 100, 512, 4095, 4096, 5000, bytes.count / 2, bytes.count - 4096] {
      let cut = Array(bytes[..<length])
      try file.replace(cut)
      do {
        _ = try use(mapping, file)
        Issue.record("a file of \(length) bytes is taken for a store")
      } catch let error as GrootError {
        #expect(error.status == .storeInvalid, "\(length) bytes: \(error)")
      }
      #expect(try file.bytes() == cut)
    }
  }
}
