import Foundation
import Groot
import GrootFoundation
import Testing

/// Calls that tell a Progress how far they are.
struct ProgressTests {
  @Test func importsAndExportsTell() throws {
    let context = try Comics.context()
    let feed = Comics.feed(5000)
    let progress = Progress(totalUnitCount: Int64(feed.count))
    var (seen, told): ([Int64], Int) = ([], 0)
    context.progress = { _ in
      seen.append(progress.completedUnitCount)
      told += 1
      return true
    }
    let result = try context.reporting(to: progress, in: .bytes) {
      try context.importJSON(.data(feed), into: "Hero")
    }
    #expect(seen.count > 1 && seen == seen.sorted() && seen.last ?? 0 <= Int64(feed.count))
    #expect(progress.isFinished)
    let unknown = Progress(totalUnitCount: -1)
    #expect(unknown.isIndeterminate)
    let data = try context.reporting(to: unknown) {
      _ = try context.exportData(result.ids)
      return try context.exportData(result.ids)
    }
    #expect(!data.isEmpty)
    #expect(unknown.isFinished && unknown.totalUnitCount > 5000)
    // The context's own function is there again.
    let before = told
    _ = try context.exportData(result.ids)
    #expect(told > before)
  }

  @Test func cancellingEndsTheCall() throws {
    let context = try Comics.context()
    let progress = Progress(totalUnitCount: 5000)
    context.progress = { call in
      if call.records > 2000 { progress.cancel() }
      return true
    }
    expectFailure(.cancelled) {
      _ = try context.reporting(to: progress) {
        try context.importJSON(.data(Comics.feed(5000)), into: "Hero")
      }
    }
    context.progress = nil
    #expect(try context.count(Hero.self) == 0)
    #expect(!progress.isFinished)
    // Before it begins too, and what is not about it goes on.
    expectFailure(.cancelled) {
      _ = try context.reporting(to: progress) { try context.count(Hero.self) }
    }
    #expect(try context.importJSON(.data(Comics.feed(10)), into: "Hero").count == 10)
    progress.cancel()
    #expect(try context.count(Hero.self) == 10)
  }

  @Test func cancellingBetweenCallsEndsTheNext() throws {
    let context = try Comics.context()
    let progress = Progress(totalUnitCount: 1)
    expectFailure(.cancelled) {
      try context.reporting(to: progress) {
        try context.importJSON(.data(Comics.feed(10)), into: "Hero")
        progress.cancel()
        try context.importJSON(.data(Comics.feed(20)), into: "Hero")
      }
    }
    #expect(try context.count(Hero.self) == 10)
  }
}
