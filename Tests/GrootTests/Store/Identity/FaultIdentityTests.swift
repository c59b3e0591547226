import Testing

@testable import Groot
@testable import GrootSQLite

/// An object that was not read yet has the defaults of its entity, and not its identity.
struct FaultIdentityTests {
  private static let document = """
    {"entities": {
      "Bird": {"userInfo": {"identityAttributes": "ring"},
        "attributes": {
          "ring": {"type": "integer64", "default": 0, "userInfo": {"JSONKeyPath": "ring"}},
          "name": {"type": "string", "optional": true, "userInfo": {"JSONKeyPath": "name"}}},
        "relationships": {
          "mate": {"destination": "Bird", "optional": true, "inverse": "mateOf",
            "userInfo": {"JSONKeyPath": "mate"}},
          "mateOf": {"destination": "Bird", "optional": true, "inverse": "mate"}}}}}
    """

  private func name(of ring: Int64, in context: ManagedObjectContext) throws -> Value {
    let birds = try context.fetch(FetchRequest("Bird", where: ["ring": .integer(ring)]))
    #expect(birds.count == 1)
    return try #require(birds.first)["name"]
  }

  @Test func aRecordDoesNotFindTheFaultAfterTheLastObject() throws {
    let file = try StoreFile()
    let mapping = try Mapping(model: ManagedObjectModel(document: Self.document))
    let first = try ManagedObjectContext(mapping: mapping, storePath: file.path)
    // Too many for an import of three to read them all.
    let records = (1...3_000).map { #"{"ring": \#($0), "name": "old"}"# }
    try first.importJSON(.text("[\(records.joined(separator: ", "))]"), into: "Bird")
    try first.importJSON(.text(#"{"ring": 2, "mate": {"ring": 2999}}"#), into: "Bird")
    try first.save()

    let context = try ManagedObjectContext(mapping: mapping, storePath: file.path)
    for ring: Int64 in 1...2 { #expect(try name(of: ring, in: context) == .string("old")) }
    // The mate of the second bird is in the row after it.
    #expect(context.graph.isFault(Row(2), in: 0))
    let report = try context.importJSON(
      .text(
        #"[{"ring": 1, "name": "a"}, {"ring": 2, "name": "b"}, {"ring": 0, "name": "c"}]"#),
      into: "Bird"
    ).report
    #expect((report.inserted, report.updated) == (1, 2))
    for (ring, text) in [(0, "c"), (1, "a"), (2, "b"), (2999, "old")] as [(Int64, String)] {
      #expect(try name(of: ring, in: context) == .string(text))
    }
  }
}
