import Groot
import GrootSQLite
import Testing

/// A synchronization that would delete too much is refused, and leaves everything as it was.
struct DeletionLimitTests {
  private let mapping: Mapping

  init() throws {
    let document = """
      {"entities": {"Item": {"attributes": {
        "id": {"type": "integer64", "optional": true},
        "name": {"type": "string", "optional": true}}}}}
      """
    mapping = try Mapping(model: ManagedObjectModel(document: document), dialect: .hyper)
  }

  private func feed(_ ids: Range<Int>) -> JSONInput {
    .text("[" + ids.map { "{\"id\": \($0)}" }.joined(separator: ", ") + "]")
  }

  private func options(_ limit: SyncOptions.DeletionLimit) -> SyncOptions {
    var options = SyncOptions()
    options.maximumDeletions = limit
    return options
  }

  @Test(arguments: [SyncOptions.DeletionLimit.count(9), .share(0.9)], [false, true])
  func aRefusedCallLeavesGraphChangesAndStoreAlone(
    limit: SyncOptions.DeletionLimit, isDryRun: Bool
  ) throws {
    let file = try StoreFile()
    let first = try ManagedObjectContext(mapping: mapping, storePath: file.path)
    try first.importJSON(feed(0..<10), into: "Item")
    try first.save()
    let context = try ManagedObjectContext(mapping: mapping, storePath: file.path)
    try context.importJSON(#"{"id": 3, "name": "unsaved"}"#, into: "Item")
    let before = (dump(context), try context.changes)
    var options = options(limit)
    options.isDryRun = isDryRun
    let status = Status.tooManyDeletions
    expectFailure(status, "10 ") { try context.sync("Item", with: feed(20..<22), options: options) }
    #expect((dump(context), try context.changes) == before)
    #expect(context.brokenInvariants() == [])
    try context.save()
    let other = try ManagedObjectContext(mapping: mapping, storePath: file.path)
    #expect(try other.count(FetchRequest("Item")) == 10)
    #expect(try other.count(FetchRequest("Item", where: ["name": "unsaved"])) == 1)
    let result = try context.sync("Item", with: feed(1..<3), options: options)
    #expect(result.report.deleted == 8)
  }

  @Test func aShareAllowsTheNumberThatItIsWrittenFor() throws {
    for hundredth in 0...100 {
      let context = ManagedObjectContext(mapping: mapping)
      try context.importJSON(feed(0..<100), into: "Item")
      let options = options(.share(Double(hundredth) / 100))
      if hundredth < 100 {
        let fewer = feed(0..<(99 - hundredth))
        expectFailure(.tooManyDeletions, "\(hundredth + 1) of the 100 objects in the scope") {
          try context.sync("Item", with: fewer, options: options)
        }
      }
      let result = try context.sync("Item", with: feed(0..<(100 - hundredth)), options: options)
      #expect(result.report.deleted == hundredth)
    }
  }

  @Test(arguments: [
    SyncOptions.DeletionLimit.count(-1), .share(-0.1), .share(1.5), .share(.nan),
    .share(.infinity),
  ])
  func anInvalidLimitIsRefusedByItsName(limit: SyncOptions.DeletionLimit) throws {
    let context = ManagedObjectContext(mapping: mapping)
    expectFailure(.invalidArgument, "max_deletions is the \(limit)") {
      try context.sync("Item", with: "[]", options: options(limit))
    }
  }

  @Test(arguments: [SyncOptions.DeletionLimit.count(1), .share(0.5)])
  func tooManyDeletionsAreRefusedBeforeARuleDeniesOne(limit: SyncOptions.DeletionLimit) throws {
    let document = """
      {"entities": {
        "Shelf": {
          "userInfo": {"identityAttributes": "id", "groot.implicit": "true"},
          "attributes": {"id": {"type": "integer64"}},
          "relationships": {"books": {"destination": "Book", "toMany": true, "inverse": "shelf",
            "optional": true, "deleteRule": "deny"}}},
        "Book": {
          "userInfo": {"identityAttributes": "id"},
          "attributes": {"id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}}},
          "relationships": {"shelf": {"destination": "Shelf", "inverse": "books",
            "optional": true}}}}}
      """
    let mapping = try Mapping(model: ManagedObjectModel(document: document))
    let context = ManagedObjectContext(mapping: mapping)
    try context.importJSON(
      .text(#"[{"id": 1, "books": [1]}, {"id": 2, "books": [2]}, {"id": 3, "books": [3]}]"#),
      into: "Shelf")
    let options = options(limit)
    expectFailure(.tooManyDeletions, "2 ") {
      try context.sync("Shelf", with: #"[{"id": 1}]"#, options: options)
    }
    expectFailure(.deleteDenied, "books") {
      try context.sync("Shelf", with: #"[{"id": 1}, {"id": 2}]"#, options: options)
    }
    #expect(context.brokenInvariants() == [])
  }
}
