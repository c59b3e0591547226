import Testing

import Groot

/// The law of stores: whatever a program does, a context with a store is as one in memory.
///
/// `GROOT_LAW=first-last` in the environment runs other sequences than usual, `GROOT_LAW=17` one.
struct StoreEqualityLawTests {
  private static let blocks = 12
  private static let stepCount = 40

  private static let seeds = SeedRange.named("GROOT_LAW", usually: 0...239)

  @Test(arguments: 0..<blocks)
  func aStoreIsAsMemory(block: Int) throws {
    for seed in Self.seeds.block(block, of: Self.blocks) {
      if let report = try Self.check(seed) { Issue.record("\(report)") }
    }
  }

  /// The same with imports before which all of the store is read.
  @Test(arguments: 0..<blocks)
  func aStoreThatIsReadAheadIsAsMemory(block: Int) throws {
    for seed in Self.seeds.block(block, of: Self.blocks) {
      if let report = try Self.check(seed, readsAhead: true) { Issue.record("\(report)") }
    }
  }

  /// Sequences that found something once.
  @Test(arguments: [
    1062, 1100, 1140, 1239, 1311, 1319, 3162, 3349, 3357, 3508, 4498, 4793, 4984, 5207, 5727, 5970,
    4718, 5976, 3938, 4989, 5115, 5249, 5448, 5884,
  ])
  func pinned(seed: Int) throws { #expect(try Self.check(seed) == nil) }

  /// What is wrong with the sequence of a seed, cut down to the steps that are needed; nil when nothing.
  static func check(
    _ seed: Int, readsAhead: Bool = false,
    in place: @escaping () throws -> any LawPlace = { try StoreFile() }
  ) throws -> String? {
    func failure(_ law: LawModel, _ operations: [LawOperation], _ seed: UInt64)
      -> (String, [String])?
    {
      self.failure(law, operations) {
        try LawRun(law, seed: seed, in: place(), readsAhead: readsAhead)
      }
    }
    var random = SeededGenerator(seed: seed)
    let law = try LawModel(seed: random.next())
    let operations = LawOperation.sequence(law, stepCount, &random)
    let runSeed = random.next()
    guard failure(law, operations, runSeed) != nil else { return nil }
    let shortest = Shrinker { failure(law, $0, runSeed) != nil }.shrink(operations)
    let (text, history) = failure(law, shortest, runSeed) ?? ("it is gone", [])
    return """
      sequence \(seed): GROOT_LAW=\(seed) swift test --filter StoreEqualityLaw
      \(text)
      after:
        \(history.joined(separator: "\n    "))
      in \(law.document)
      """
  }

  private static func failure(
    _ law: LawModel, _ operations: [LawOperation], _ begin: () throws -> LawRun
  ) -> (String, [String])? {
    var run: LawRun?
    do {
      let new = try begin()
      run = new
      try new.run(operations)
      return nil
    } catch {
      return ("\(error)", run?.history.map { "\($0)" } ?? [])
    }
  }
}
