import Foundation
import Groot
import GrootFoundation
import Testing

/// Contexts that tasks share.
struct ContextActorTests {
  typealias Card = DecodingTests.Card

  private func comics() throws -> ContextActor { ContextActor(mapping: try Comics.mapping()) }

  @Test func importsExportsAndFetches() async throws {
    let comics = try comics()
    let progress = Progress(totalUnitCount: 3000)
    let summary = try await comics.importJSON(
      .data(Comics.feed(3000)), into: "Hero", progress: progress)
    #expect(summary.report.inserted == 3000 && summary.ids.count == 3000)
    #expect(progress.isFinished)
    let cards = try await comics.fetch(FetchRequest("Hero", limit: 2), as: Card.self)
    #expect(cards == [Card(id: 0, name: "hero 0"), Card(id: 1, name: "hero 1")])
    try await comics.importEncoded([Card(id: 7, name: "Robin")], into: "Hero")
    let names = try await comics.perform { context in
      try context.fetch(Hero.self) { $0.id == 7 }.map(\.name)
    }
    #expect(names == ["Robin"])
    try await comics.save()
    let synced = try await comics.sync("Hero", with: .data(Comics.feed(3)))
    #expect(synced.report.deleted == 2997)
    let data = try await comics.exportData(FetchRequest("Hero"))
    #expect(try JSONValue(parsing: String(decoding: data, as: UTF8.self)).arrayValue?.count == 3)
    #expect(try await comics.fetchIDs(FetchRequest("Hero")).count == 3)
    let file = Comics.file()
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(try await comics.export(FetchRequest("Hero"), toFile: file) == 3)
    #expect(try await comics.count(FetchRequest("Hero")) == 3)
  }

  @Test func takesOverAContext() async throws {
    let context = try Comics.context()
    try context.importJSON(.data(Comics.feed(4)), into: "Hero")
    let comics = ContextActor(context)
    #expect(try await comics.count(FetchRequest("Hero")) == 4)
  }

  @Test func manyTasksTakeTurns() async throws {
    let comics = try comics()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<50 {
        group.addTask {
          try await comics.perform { context in
            for number in 0..<20 {
              try context.insert(Hero.self).id = Int64(task * 20 + number)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await comics.count(FetchRequest("Hero")) == 1000)
  }

  @Test func runsOnItsOwnQueue() async throws {
    let comics = try comics()
    let isMain = try await comics.perform { _ in Thread.isMainThread }
    #expect(!isMain)
    // The jobs of the actor are never two at once, although each blocks its thread.
    let turns = Turns()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { try? await comics.perform { _ in turns.take() } }
      }
    }
    #expect(turns.most == 1)
  }

  @Test func failuresComeOut() async throws {
    let comics = try comics()
    await #expect(throws: GrootError.self) {
      try await comics.importJSON("[{}]", into: "Villain")
    }
    struct Refusal: Error {}
    await #expect(throws: Refusal.self) { try await comics.perform { _ in throw Refusal() } }
  }

  @Test func aCancelledTaskDoesNothing() async throws {
    let comics = try comics()
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      try await comics.importJSON(.data(Comics.feed(10)), into: "Hero")
    }
    task.cancel()
    await expectCancelled(task)
    #expect(try await comics.count(FetchRequest("Hero")) == 0)
  }

  @Test func cancellingEndsTheCallThatRuns() async throws {
    let comics = try comics()
    try await comics.importJSON(.data(Comics.feed(5)), into: "Hero")
    let began = AsyncStream<Void>.makeStream()
    let task = Task {
      var options = ImportOptions()
      options.progress = { _ in
        began.continuation.yield()
        // Goes on when somebody cancels.
        while !Task.isCancelled { usleep(1000) }
        return true
      }
      return try await comics.importJSON(
        .data(Comics.feed(100_000)), into: "Hero", options: options)
    }
    // Another waits for its turn, and is not cancelled.
    for await _ in began.stream { break }
    let other = Task { try await comics.importJSON(#"{"id": 1000}"#, into: "Hero") }
    task.cancel()
    await expectCancelled(task)
    #expect(try await other.value.report.inserted == 1)
    #expect(try await comics.count(FetchRequest("Hero")) == 6)
  }

  @Test func cancellingOneThatWaitsLeavesTheRunningOne() async throws {
    let comics = try comics()
    let gate = Gate()
    let running = Task {
      try await comics.perform { context in
        gate.open()
        usleep(50_000)
        return try context.importJSON(.data(Comics.feed(2000)), into: "Hero").count
      }
    }
    while !gate.isOpen { await Task.yield() }
    let waiting = Task { try await comics.importJSON(.data(Comics.feed(3000)), into: "Hero") }
    waiting.cancel()
    #expect(try await running.value == 2000)
    await expectCancelled(waiting)
    #expect(try await comics.count(FetchRequest("Hero")) == 2000)
  }

  private func expectCancelled<Success>(_ task: Task<Success, any Error>) async {
    switch await task.result {
    case .success: Issue.record("this was not cancelled")
    case .failure(let error): #expect((error as? GrootError)?.status == .cancelled, "\(error)")
    }
  }
}

/// Counts how many are inside at once.
private final class Turns: @unchecked Sendable {
  private let lock = NSLock()
  private var inside = 0
  private(set) var most = 0

  func take() {
    lock.withLock {
      inside += 1
      most = max(most, inside)
    }
    usleep(2000)
    lock.withLock { inside -= 1 }
  }
}

/// Closed until somebody opens it.
private final class Gate: @unchecked Sendable {
  private let lock = NSLock()
  private var opened = false

  var isOpen: Bool { lock.withLock { opened } }
  func open() { lock.withLock { opened = true } }
}
