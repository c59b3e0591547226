import Foundation
import GrootSQLite
import Testing

import Groot

/// Whatever takes long can be ended from another thread, and leaves everything as it was.
///
/// Another thread cancels all the time until the call has come back: none of these calls is so short
/// that it would end unseen in every one of many tries.
struct CancellationTests {
  private static let count = 20_000

  private func mapping() throws -> Mapping {
    try Mapping(
      model: ManagedObjectModel(
        document: """
          {"entities": {"Person": {"userInfo": {"identityAttributes": "id"},
            "attributes": {
              "id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}},
              "name": {"type": "string", "optional": true, "userInfo": {"JSONKeyPath": "name"}}},
            "relationships": {
              "friends": {"destination": "Person", "toMany": true, "optional": true,
                "inverse": "befriended", "userInfo": {"JSONKeyPath": "friends"}},
              "befriended": {"destination": "Person", "toMany": true, "optional": true,
                "inverse": "friends"}}}}}
          """))
  }

  private func text(named name: String) -> String {
    let people = (0..<Self.count).map { number in
      let friends = [1, 7, 49].map { "{\"id\": \((number + $0) % Self.count)}" }
      return "{\"id\": \(number), \"name\": \"\(name) \(number % 97)\", "
        + "\"friends\": [\(friends.joined(separator: ","))]}"
    }
    return "[" + people.joined(separator: ",") + "]"
  }

  /// Requires that a call ends with ``Status/cancelled`` when it is cancelled.
  private func expectCancelled(
    _ context: ManagedObjectContext, _ name: String, _ call: () throws -> Void
  ) throws {
    let cancellation = context.cancellation
    var wasCancelled = false
    for _ in 0..<100 where !wasCancelled {
      let canceller = Canceller(cancellation)
      defer { canceller.stop() }
      do {
        try call()
      } catch let error as GrootError {
        try #require(error.status == .cancelled, "\(name): \(error)")
        wasCancelled = true
      }
    }
    #expect(wasCancelled, "\(name) was never cancelled")
    #expect(context.brokenInvariants().isEmpty, "\(name)")
  }

  private func expectQueriesCancelled(_ context: ManagedObjectContext) throws {
    var all = FetchRequest("Person")
    all.sortKeys = [FetchRequest.SortKey("name", isAscending: false)]
    try expectCancelled(context, "fetch") { _ = try context.fetchIDs(all) }
    var dense = FetchRequest("Person")
    dense.predicate = [
      "friends": ["any": ["friends": ["any": ["name": ["contains": "none"]]]]]
    ]
    try expectCancelled(context, "count") { _ = try context.count(dense) }
    try expectCancelled(context, "distinct") {
      _ = try context.distinct(FetchRequest.SortKey("name"), request: FetchRequest("Person"))
    }
    let sums = AggregateRequest("Person", aggregates: ["sum": .sum("id")], by: ["name"])
    try expectCancelled(context, "aggregate") { _ = try context.aggregate(sums) }
    try expectCancelled(context, "export") {
      _ = try context.export(all) { _ in }
    }
    #expect(try context.count(dense) == 0)
    dense.predicate = ["friends": ["count": 3]]
    #expect(try context.count(dense) == Self.count)
    #expect(try context.fetchIDs(all).count == Self.count)
  }

  @Test func aCancelledCallInMemoryChangesNothing() throws {
    let context = try ManagedObjectContext(mapping: mapping())
    try expectCancelled(context, "import") {
      try context.importJSON(.text(text(named: "never")), into: "Person")
    }
    #expect(try context.count(FetchRequest("Person")) == 0)
    try context.importJSON(.text(text(named: "kept")), into: "Person")
    try context.save()
    try expectCancelled(context, "update") {
      try context.importJSON(.text(text(named: "changed")), into: "Person")
    }
    #expect(try context.changes.updated == 0)
    try expectQueriesCancelled(context)
  }

  @Test func aCancelledCallOnAStoreChangesNothing() throws {
    let file = try StoreFile()
    let context = try ManagedObjectContext(mapping: mapping(), storePath: file.path)
    try context.importJSON(.text(text(named: "kept")), into: "Person")
    try expectCancelled(context, "save") { try context.save() }
    #expect(try ManagedObjectContext(mapping: mapping(), storePath: file.path).isEmpty)
    try context.save()
    let other = try ManagedObjectContext(mapping: mapping(), storePath: file.path)
    try expectQueriesCancelled(other)
    try expectCancelled(other, "import in batches") {
      var options = ImportOptions()
      options.batchSize = 1_000
      try other.importJSON(.text(text(named: "changed")), into: "Person", options: options)
    }
    let kept = FetchRequest("Person", where: ["name": .string("kept 3")])
    #expect(try other.count(kept) == (0..<Self.count).count { $0 % 97 == 3 })
  }

  @Test func aCallIsNotEndedByAnEarlierCancellation() throws {
    let context = try ManagedObjectContext(mapping: mapping())
    context.cancellation.cancel()
    try context.importJSON("[{\"id\": 1}]", into: "Person")
    #expect(try context.count(FetchRequest("Person")) == 1)
  }

  @Test func aCallbackMayCancel() throws {
    let context = try ManagedObjectContext(mapping: mapping())
    var options = ImportOptions()
    options.errorMode = .skip
    options.progress = { _ in
      context.cancellation.cancel()
      return true
    }
    #expect(throws: GrootError.self) {
      try context.importJSON(.text(text(named: "never")), into: "Person", options: options)
    }
    #expect(try context.count(FetchRequest("Person")) == 0)
  }

  @Test func aCallbackMayCancelInItsLastCall() throws {
    let context = try ManagedObjectContext(mapping: mapping())
    var options = ImportOptions()
    options.progress = { _ in
      context.cancellation.cancel()
      return true
    }
    let error = #expect(throws: GrootError.self) {
      try context.importJSON("[{\"id\": 1}]", into: "Person", options: options)
    }
    #expect(error?.status == .cancelled)
    let stream = try context.beginImport(into: "Person", options: options)
    try stream.write("[{\"id\": 1}]")
    #expect(throws: GrootError.self) { _ = try stream.finish() }
    #expect(try context.count(FetchRequest("Person")) == 0)
    #expect(context.brokenInvariants().isEmpty)
  }
}

extension ManagedObjectContext {
  fileprivate var isEmpty: Bool { get throws { try count(FetchRequest("Person")) == 0 } }
}

/// Cancels from a thread of its own, over and over, until it is stopped.
private final class Canceller: @unchecked Sendable {
  private let lock = NSLock()
  private var isStopped = false
  private let hasEnded = DispatchSemaphore(value: 0)

  init(_ cancellation: Cancellation) {
    Thread.detachNewThread {
      while !self.lock.withLock({ self.isStopped }) { cancellation.cancel() }
      self.hasEnded.signal()
    }
  }

  func stop() {
    lock.withLock { isStopped = true }
    hasEnded.wait()
  }
}
