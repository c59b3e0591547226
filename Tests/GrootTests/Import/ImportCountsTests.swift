import Groot
import Testing

/// The counts of an import, which compares the graph before and after only for those who take them.
struct ImportCountsTests {
  private let context: ManagedObjectContext
  /// The name of the second record is that of the graph: the object does not differ at the end.
  private let feed = #"[{"id": 1, "name": "b"}, {"id": 1, "name": "a"}, {"id": 2, "name": "c"}]"#

  init() throws {
    let document = """
      {"entities": {"Item": {"userInfo": {"identityAttributes": "id"}, "attributes": {
        "id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}},
        "name": {"type": "string", "optional": true, "userInfo": {"JSONKeyPath": "name"}}}}}}
      """
    let model = try ManagedObjectModel(document: document)
    context = ManagedObjectContext(mapping: try Mapping(model: model))
    try context.importJSON(#"{"id": 1, "name": "a"}"#, into: "Item")
    try context.save()
  }

  private func options(takesCounts: Bool) -> ImportOptions {
    var options = ImportOptions()
    options.takesCounts = takesCounts
    return options
  }

  @Test func countsThatNobodyTakesAreNotMade() throws {
    let result = try context.importJSON(
      .text(feed), into: "Item", options: options(takesCounts: false))
    #expect(result.report.inserted + result.report.updated + result.report.unchanged == 0)
    #expect(result.count == 3)
    #expect(try context.count(FetchRequest("Item")) == 2)
    #expect(try context.changes == ChangeCounts(inserted: 1))
  }

  @Test(arguments: [true, false])
  func theLastProgressHasTheCountsOfTheReport(takesCounts: Bool) throws {
    var last: ImportProgress?
    var options = options(takesCounts: takesCounts)
    options.progress = {
      last = $0
      return true
    }
    try context.importJSON(.text(feed), into: "Item", options: options)
    #expect(last?.inserted == 1)
    #expect(last?.updated == 0)
    #expect(last?.unchanged == 1)
  }

  @Test(arguments: [true, false])
  func aListOfChangesComesWithItsCounts(takesCounts: Bool) throws {
    var options = options(takesCounts: takesCounts)
    options.listsChanges = true
    let report = try context.importJSON(.text(feed), into: "Item", options: options).report
    #expect(report.inserted == 1)
    #expect(report.changes.count == 1)
  }
}
