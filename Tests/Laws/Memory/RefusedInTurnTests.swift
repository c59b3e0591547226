import GrootSQLite
import Testing

@testable import Groot

/// Each request for memory that one call makes is refused in its turn, the only one or with all that
/// follow: the call fails as a whole, and does what it does with all memory when it is made again.
struct RefusedInTurnTests {
  private func refuseEach(
    _ what: String, make: () throws -> ManagedObjectContext,
    call: (ManagedObjectContext) throws -> String,
    state: (ManagedObjectContext) throws -> String = MemoryProgram.everything
  ) throws {
    let reference = try {
      let context = try make()
      return try call(context) + "\n" + state(context)
    }()
    for refusesAllThatFollow in [false, true] {
      var (number, failures) = (0, 0)
      while true {
        let context = try make()
        let memory = context.graph.memory
        let first = memory.requestCount + number
        memory.refusedRequests = first..<(refusesAllThatFollow ? .max : first + 1)
        var outcome: String?
        do {
          outcome = try call(context)
        } catch let error as GrootError {
          #expect(error.status == .outOfMemory, "\(what), request \(number): \(error)")
          failures += 1
        }
        let isOver = memory.requestCount <= first
        memory.refusedRequests = 0..<0
        #expect(memory.shortage == nil, "\(what), request \(number)")
        #expect(context.brokenInvariants() == [], "\(what), request \(number)")
        let again = try outcome ?? call(context)
        guard try again + "\n" + state(context) == reference else {
          Issue.record("\(what), request \(number): another outcome than with all memory")
          return
        }
        if isOver { break }
        number += 1
      }
      #expect(failures > 0, "\(what)")
    }
  }

  // MARK: The end of an import

  /// People who are linked at the end, when those whom they name have come.
  @Test(arguments: ["skip", "placeholder"])
  func anImportThatLacksMemoryAtItsEndCanBeRepeated(unknownIdentifier: String) throws {
    let people = (1...200).map { #"{"key": \#($0)}"# }
    let children = (1...200).map { #"{"key": \#($0), "parent": \#($0 + 1000)}"# }
    let parents = (1001...1200).map { #"{"key": \#($0)}"# }
    let text = "[\((children + parents).joined(separator: ","))]"
    var options = ImportOptions()
    options.policies["unknownIdentifier"] = unknownIdentifier
    try refuseEach(
      "the end of an import",
      make: {
        let context = try Generated.context()
        try context.importJSON(.text("[\(people.joined(separator: ","))]"), into: "Person")
        try context.save()
        return context
      },
      call: { MemoryProgram.tell(try $0.importJSON(.text(text), into: "Person", options: options)) }
    )
  }

  // MARK: Reading a store

  /// Owners with a card that is known by its owner, and letters whose texts need memory of their own.
  private static let owners = """
    {"entities": {
      "Owner": {"userInfo": {"identityAttributes": "id"},
        "attributes": {"id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}}},
        "relationships": {
          "card": {"destination": "Card", "optional": true, "inverse": "owner",
            "userInfo": {"JSONKeyPath": "card"}},
          "letters": {"destination": "Letter", "toMany": true, "ordered": true, "optional": true,
            "inverse": "owner", "userInfo": {"JSONKeyPath": "letters"}},
          "readers": {"destination": "Owner", "toMany": true, "optional": true,
            "inverse": "readers", "userInfo": {"JSONKeyPath": "readers"}}}},
      "Card": {"userInfo": {"identityAttributes": "owner"},
        "attributes": {"text": {"type": "string", "userInfo": {"JSONKeyPath": "text"}}},
        "relationships": {
          "owner": {"destination": "Owner", "optional": true, "inverse": "card"}}},
      "Letter": {
        "attributes": {"text": {"type": "string", "userInfo": {"JSONKeyPath": "text"}}},
        "relationships": {
          "owner": {"destination": "Owner", "optional": true, "inverse": "letters"}}}
    }}
    """

  @Test(arguments: ["Owner", "Card", "Letter"], [false, true])
  func aReadOfAStoreThatLacksMemoryCanBeRepeated(entity: String, inPieces: Bool) throws {
    let mapping = try Mapping(model: ManagedObjectModel(document: Self.owners))
    let file = try StoreFile()
    func text(_ id: Int) -> String { String(repeating: "text \(id) ", count: 20 + 7 * id) }
    let owners = (1...60).map { id -> JSONValue in
      let letters: JSONValue = .array((0...id % 3).map { ["text": .string(text(id + $0))] })
      return [
        "id": .integer(Int64(id)), "letters": letters, "card": ["text": .string(text(id))],
        "readers": [.integer(Int64(id % 60 + 1))],
      ]
    }
    try {
      let context = try ManagedObjectContext(mapping: mapping, storePath: file.path)
      try context.importJSON(.value(.array(owners)), into: "Owner")
      try context.save()
    }()
    let everything = FetchRequest(entity)
    try refuseEach(
      "reading \(entity)",
      make: { try ManagedObjectContext(mapping: mapping, storePath: file.path) },
      call: { context in
        if !inPieces { return try context.exportText(context.fetch(everything)) }
        var text = ""
        try context.export(everything) { text += String(decoding: $0, as: UTF8.self) }
        return text
      },
      state: { try $0.exportText($0.fetch(FetchRequest("Owner"))) })
  }
}
