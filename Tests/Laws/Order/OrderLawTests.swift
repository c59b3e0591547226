import Testing

import Groot

/// The law of order: whatever the order of the records, and however many imports they come in, the graph,
/// the counts and the issues are the same.
///
/// `GROOT_ORDER_LAW=first-last` in the environment runs other feeds than usual, `GROOT_ORDER_LAW=17` one.
struct OrderLawTests {
  private static let blocks = 8

  private static let seeds = SeedRange.named("GROOT_ORDER_LAW", usually: 0...79)

  @Test(arguments: 0..<blocks)
  func theOrderOfRecordsDoesNotMatter(block: Int) throws {
    for seed in Self.seeds.block(block, of: Self.blocks) {
      if let report = try Self.check(seed) { Issue.record("\(report)") }
    }
  }

  /// Feeds that found something once.
  @Test(arguments: [
    19, 22, 36, 61, 91, 103, 108, 120, 125, 134, 136, 149, 150, 169, 1758, 1915, 2007, 2354, 2361,
    3238,
  ])
  func pinned(seed: Int) throws { #expect(try Self.check(seed) == nil) }

  /// What is wrong with the feed of a seed, cut down to what is needed; nil when nothing.
  static func check(_ seed: Int) throws -> String? {
    var random = SeededGenerator(seed: seed)
    let model = try OrderModel(&random)
    let feed = OrderFeed(model, &random)
    let run = OrderRun(model: model, policy: feed.policy, skipsWrong: feed.skipsWrong, seed: seed)
    guard run.difference(feed.records) != nil else { return nil }
    let records = Shrinker(smaller: smaller) { run.difference($0) != nil }.shrink(feed.records)
    return """
      feed \(seed): GROOT_ORDER_LAW=\(seed) swift test --filter OrderLaw
      \(model.dialect), \(model.isAbstract ? "abstract" : "concrete") root, \
      author \(model.requiresAuthor ? "required" : "optional"), \
      unknown identifiers: \(feed.policy ?? "default"), \(feed.skipsWrong ? "skip" : "collect")
      \(records.map(\.description).joined(separator: "\n"))
      \(run.difference(records) ?? "it is gone")
      """
  }

  /// A record with fewer properties; what says who is meant stays.
  private static func smaller(_ record: JSONValue) -> [JSONValue] {
    record.objectValue?.withoutEach(keeping: ["id", "kind", "name", "poet"]).map { .object($0) }
      ?? []
  }
}
