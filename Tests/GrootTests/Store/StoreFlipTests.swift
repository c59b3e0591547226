import Testing

@testable import Groot
@testable import GrootSQLite

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Files of which some bytes are not what they were.
///
/// Whatever they are, all that is done with the file ends, and gives what is in its tables, or a
/// status. `GROOT_FLIPS` is the number of files.
struct StoreFlipTests {
  private static let count = getenv("GROOT_FLIPS").flatMap { Int(String(cString: $0)) } ?? 160
  private static let parts = 8

  private func mapping() throws -> Mapping {
    try Mapping(
      model: ManagedObjectModel(
        document: """
          {"entities": {
            "Hero": {"userInfo": {"identityAttributes": "id"},
              "attributes": {
                "id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}},
                "name": {"type": "string", "optional": true, "userInfo": {"JSONKeyPath": "name"}},
                "any": {"type": "transformable", "optional": true,
                  "userInfo": {"JSONKeyPath": "any"}},
                "price": {"type": "decimal", "optional": true,
                  "userInfo": {"JSONKeyPath": "price"}}},
              "relationships": {
                "mentor": {"destination": "Hero", "optional": true, "inverse": "pupils",
                  "userInfo": {"JSONKeyPath": "mentor"}},
                "pupils": {"destination": "Hero", "toMany": true, "optional": true,
                  "inverse": "mentor", "ordered": true, "userInfo": {"JSONKeyPath": "pupils"}},
                "twin": {"destination": "Hero", "optional": true, "inverse": "twin",
                  "userInfo": {"JSONKeyPath": "twin"}},
                "shield": {"destination": "Shield", "optional": true, "inverse": "owner",
                  "userInfo": {"JSONKeyPath": "shield"}},
                "powers": {"destination": "Power", "toMany": true, "optional": true,
                  "inverse": "heroes", "userInfo": {"JSONKeyPath": "powers"}},
                "friends": {"destination": "Hero", "toMany": true, "optional": true,
                  "inverse": "friends", "userInfo": {"JSONKeyPath": "friends"}}}},
            "Villain": {"parent": "Hero", "attributes": {"plan": {"type": "string",
              "optional": true, "userInfo": {"JSONKeyPath": "plan"}}}},
            "Shield": {"userInfo": {"identityAttributes": "name"},
              "attributes": {"name": {"type": "string", "userInfo": {"JSONKeyPath": "name"}}},
              "relationships": {"owner": {"destination": "Hero", "optional": true,
                "inverse": "shield"}}},
            "Power": {"userInfo": {"identityAttributes": "name"},
              "attributes": {"name": {"type": "string", "userInfo": {"JSONKeyPath": "name"}}},
              "relationships": {"heroes": {"destination": "Hero", "toMany": true,
                "optional": true, "inverse": "powers"}}}}}
          """))
  }

  private func open(_ mapping: Mapping, _ file: StoreFile) throws -> ManagedObjectContext {
    var options = SQLiteStoreOptions()
    options.durability = .normal
    options.busyTimeout = 20
    return try ManagedObjectContext(mapping: mapping, storePath: file.path, options: options)
  }

  /// A small file of several levels in its trees.
  private func makeStore(_ mapping: Mapping, _ file: StoreFile) throws {
    try file.database(creates: true)
      .execute("PRAGMA page_size = 512; VACUUM")
    let context = try open(mapping, file)
    for entity in ["Hero", "Villain"] {
      let first = entity == "Hero" ? 1 : 21
      let records = (first..<first + 20).map { id in
        #"{"id": \#(id), "name": "hero \#(id)", "any": {"n": [\#(id), null]}, "price": "\#(id).5", "#
          + #""mentor": \#(id / 3 + 1), "twin": \#(id ^ 1), "shield": "shield \#(id)", "#
          + #""powers": ["flight", "power \#(id % 5)"], "friends": [\#(id % 7 + 1)]}"#
      }
      try context.importJSON("[\(records.joined(separator: ","))]", into: entity)
    }
    try context.save()
  }

  /// All that a program might do with a file that it reads: in two ways, which must agree.
  private func read(_ mapping: Mapping, _ file: StoreFile) throws -> String {
    let context = try open(mapping, file)
    do {
      let text = try export(context)
      #expect(throws: Never.self) { try JSONValue(parsing: text) }
      #expect(context.brokenInvariants() == [])
      let whole = try open(mapping, file)
      try whole.coordinator?.preloadAll()
      #expect(try export(whole).utf8.count >= 2)
      #expect(whole.brokenInvariants() == [])
      _ = try whole.aggregate(AggregateRequest("Hero", aggregates: ["count": .count]))
      return text
    } catch {
      #expect(context.brokenInvariants() == [])
      throw error
    }
  }

  private func export(_ context: ManagedObjectContext) throws -> String {
    var options = ExportOptions()
    options.depth = 1
    var text = ""
    for entity in ["Hero", "Shield", "Power"] {
      let objects = try context.fetch(FetchRequest(entity))
      text += try context.exportText(objects, options: options)
      // All that hangs together, through lists of all kinds.
      text += try context.exportText(Array(objects.prefix(1)))
    }
    return text.replacing("][", with: ",")
  }

  /// Changes, saves and migrates.
  private func write(_ mapping: Mapping, _ file: StoreFile, _ step: Int) throws {
    let context = try open(mapping, file)
    defer { #expect(context.brokenInvariants() == []) }
    if step % 2 == 0 {
      try context.importJSON(
        #"[{"id": 3, "mentor": 7, "powers": ["new"], "friends": [1, 2]}, {"id": 99, "twin": 3}]"#,
        into: "Hero")
    } else {
      let heroes = try context.fetch(FetchRequest("Hero", limit: 10))
      for hero in heroes { try context.delete(hero.id) }
    }
    try context.save()
    _ = try export(context)
  }

  @Test(arguments: 0..<parts)
  func everythingEndsWithDataOrAStatus(part: Int) throws {
    let mapping = try mapping()
    let file = try StoreFile()
    try makeStore(mapping, file)
    let bytes = try file.bytes()
    let whole = try read(mapping, file)
    #expect(bytes.count / 512 > 40)
    var random = SeededGenerator(seed: UInt64(part) &+ 11)
    var (told, same, other) = (0, 0, 0)
    for step in 0..<(Self.count / Self.parts) {
      var damaged = bytes
      for _ in 0..<[1, 1, 1, 2, 4, 16][step % 6] {
        // Trees, not values, are what makes reading go astray: half of them hit their headers.
        let page = Int.random(in: 0..<bytes.count / 512, using: &random)
        let offset = Int.random(in: 0..<(step % 2 == 0 ? 512 : 40), using: &random)
        damaged[page * 512 + offset] ^= UInt8.random(in: 1...255, using: &random)
      }
      try file.replace(damaged)
      do {
        let text = try read(mapping, file)
        if text == whole { same += 1 } else { other += 1 }
      } catch let error as GrootError {
        #expect(error.status.isOfAFile, "\(error)")
        told += 1
      }
      do { try write(mapping, file, step) } catch is GrootError {}
    }
    #expect(told + same + other == Self.count / Self.parts && told > 0 && same > 0)
  }

  /// Trees in which a part is twice: lists that would lead in a circle, and never end.
  @Test func duplicatesInATreeAreReported() throws {
    let mapping = try mapping()
    let file = try StoreFile()
    try makeStore(mapping, file)
    let bytes = try file.bytes()
    let whole = try read(mapping, file)
    var told = 0
    var unasked: Set<Int> = []
    for page in 1..<bytes.count / 512 {
      let start = page * 512
      // Leaves of tables and of indexes, and what is above them.
      guard let header = [0x0D: 8, 0x0A: 8, 0x05: 12, 0x02: 12][Int(bytes[start])] else { continue }
      let count = Int(bytes[start + 3]) << 8 | Int(bytes[start + 4])
      guard count > 1, count < 100 else { continue }
      for (from, to) in [(0, 1), (1, 0), (0, count - 1), (count - 1, 0)] {
        var damaged = bytes
        for byte in 0..<2 {
          damaged[start + header + to * 2 + byte] = bytes[start + header + from * 2 + byte]
        }
        try file.replace(damaged)
        do {
          // Nothing but what was not asked may be wrong: indexes, and the table of last keys.
          let isSame = try read(mapping, file) == whole
          if isSame && bytes[start] == 0x0D { unasked.insert(page) }
        } catch let error as GrootError {
          #expect(error.status.isOfAFile, "\(error)")
          told += 1
        }
        do { try write(mapping, file, from + to) } catch is GrootError {}
      }
    }
    #expect(told > 20 && unasked.count <= 1)
  }
}

extension Status {
  /// Whether it says something about a file.
  fileprivate var isOfAFile: Bool {
    switch self {
    case .storeInvalid, .storeTooNew, .storeModel, .storeFailed, .storeReadOnly, .storeLocked,
      .fileError, .limitExceeded, .storeValueInvalid:
      true
    default: false
    }
  }
}
