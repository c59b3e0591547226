import Testing

import Groot

/// What a synchronization does when nothing is said.
struct SyncOptionsTests {
  private func issue(_ options: SyncOptions) throws -> GrootIssue? {
    let model = try ManagedObjectModel(
      document: """
        {"entities": {"User": {"attributes": {
          "id": {"type": "integer32", "optional": true},
          "age": {"type": "integer16", "optional": true}}}}}
        """)
    let context = ManagedObjectContext(mapping: try Mapping(model: model, dialect: .hyper))
    let text = "[{\"id\": 1},\n {\"id\": 2,\n  \"age\": \"old\"}]"
    return try context.sync("User", with: .text(text), options: options).report.issues.first
  }

  /// The scanner knows where each value is; where jansson reads, only where the entry begins.
  @Test func textIsReadByTheScanner() throws {
    let usual = try #require(try issue(SyncOptions()))
    #expect(usual.path == "$[1].age" && usual.line == 3)
    var options = SyncOptions()
    options.usesScanner = false
    let other = try #require(try issue(options))
    #expect(other.path == "$[1].age" && other.line == 2)
  }
}
