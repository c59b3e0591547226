import Testing

import Groot

/// Synchronization of many objects.
struct SyncScaleTests {
  private static let document = """
    {"entities": {"User": {"attributes": {
      "remoteID": {"type": "integer32", "optional": true},
      "name": {"type": "string", "optional": true},
      "age": {"type": "integer16", "optional": true}}}}}
    """
  private static let existing = 100_000

  private static func list(_ identifiers: some Sequence<Int>, name: (Int) -> String) -> String {
    let entries = identifiers.map { "{\"id\":\($0),\"name\":\"\(name($0))\",\"age\":\($0 % 90)}" }
    return "[" + entries.joined(separator: ",") + "]"
  }

  /// A tenth of the objects is missing from the list, half of them have another name there, and a
  /// tenth of the list is new.
  @Test func aHundredThousandAreCountedExactly() throws {
    let model = try ManagedObjectModel(document: Self.document)
    let context = ManagedObjectContext(mapping: try Mapping(model: model, dialect: .hyper))
    let before = Self.list(0..<Self.existing) { "User \($0)" }
    let first = try context.sync("User", with: .text(before)).report
    #expect(first.inserted == 100_000 && first.updated == 0)
    #expect(first.deleted == 0 && first.unchanged == 0)
    try context.save()

    let kept = (0..<Self.existing).filter { $0 % 10 != 9 }
    let new = Self.existing..<(Self.existing + Self.existing / 10)
    let after = Self.list(kept + Array(new)) { $0 % 2 == 0 ? "Changed \($0)" : "User \($0)" }
    let report = try context.sync("User", with: .text(after)).report
    #expect(report.inserted == 10_000 && report.deleted == 10_000)
    #expect(report.updated == 50_000 && report.unchanged == 40_000)
    #expect(report.skipped == 0 && report.issues.isEmpty)

    let changes = try context.changes
    #expect(changes.inserted == 10_000 && changes.updated == 50_000 && changes.deleted == 10_000)
    #expect(try context.count(FetchRequest("User")) == 100_000)
    #expect(context.brokenInvariants() == [])
    let again = try context.sync("User", with: .text(after)).report
    #expect(again.unchanged == 100_000)
    #expect(again.inserted == 0 && again.updated == 0 && again.deleted == 0)
  }
}
