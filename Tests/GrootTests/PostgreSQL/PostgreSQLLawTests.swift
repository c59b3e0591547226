import Testing

import Groot

/// The law of stores in PostgreSQL: whatever a program does, a context with a store is as one in memory.
///
/// `GROOT_LAW` chooses sequences as for ``StoreEqualityLawTests``.
@Suite(.enabled(if: PostgreSQLPlace.server != nil, "GROOT_POSTGRESQL names no server"))
struct PostgreSQLLawTests {
  private static let blocks = 4
  private static let seeds = SeedRange.named("GROOT_LAW", usually: 0...39)

  @Test(arguments: 0..<blocks)
  func aStoreIsAsMemory(block: Int) throws {
    for seed in Self.seeds.block(block, of: Self.blocks) {
      let report = try StoreEqualityLawTests.check(seed) { try PostgreSQLPlace() }
      if let report { Issue.record("\(report)") }
    }
  }

  @Test(arguments: 0..<blocks)
  func aStoreThatIsReadAheadIsAsMemory(block: Int) throws {
    for seed in Self.seeds.block(block, of: Self.blocks) {
      let report = try StoreEqualityLawTests.check(seed, readsAhead: true) { try PostgreSQLPlace() }
      if let report { Issue.record("\(report)") }
    }
  }
}
