import Testing

import Groot

/// The law of exports on models, graphs and options at random.
///
/// `GROOT_ROUND_TRIPS=first-last` in the environment runs other scenes than usual, `=17` one.
struct RoundTripLawTests {
  private static let blocks = 8

  private static let seeds = SeedRange.named("GROOT_ROUND_TRIPS", usually: 0...239)

  @Test(arguments: 0..<blocks)
  func exportedObjectsComeBack(block: Int) throws { try Self.check(block, Self.wrong) }

  @Test(arguments: 0..<blocks)
  func anObjectThatWasOnlyNamedStaysOne(block: Int) throws {
    try Self.check(block, Self.doubling)
  }

  /// Reports the first scene of a block in which something is wrong.
  private static func check(_ block: Int, _ wrong: @escaping (JSONValue) throws -> String?) throws {
    for seed in seeds.block(block, of: blocks) {
      let json = try RoundTripScene.random(UInt64(seed))
      guard try wrong(json) != nil else { continue }
      let least = shrink(json, wrong)
      let report = try wrong(least) ?? "it is gone"
      Issue.record("scene \(seed): \(report)\n  in \(least)")
      return
    }
  }

  /// Most scenes are held to both halves of the law.
  @Test func scenesAreUsable() throws {
    var usable = 0
    for seed in 0..<100 {
      let json = try RoundTripScene.random(UInt64(seed))
      if (try? RoundTripScene(json)) != nil { usable += 1 }
    }
    #expect(usable > 60)
  }

  private static func wrong(_ json: JSONValue) throws -> String? {
    try unlessUnusable { try RoundTripLaw(scene: RoundTripScene(json)).violation() }
  }

  private static func doubling(_ json: JSONValue) throws -> String? {
    try unlessUnusable { try RoundTripLaw(scene: RoundTripScene(json)).doubling() }
  }

  private static func unlessUnusable(_ body: () throws -> String?) throws -> String? {
    do { return try body() } catch is RoundTripScene.Unusable { return nil }
  }

  /// The scene with all taken out of it that is not needed for it to be wrong.
  ///
  /// The first words of what is wrong stay the same.
  private static func shrink(
    _ json: JSONValue, _ wrong: @escaping (JSONValue) throws -> String?
  ) -> JSONValue {
    func kind(_ json: JSONValue) throws -> Substring? {
      try wrong(json)?.split(separator: ":").first
    }
    let wanted = try? kind(json)
    return Shrinker<JSONValue> { $0.count == 1 && (try? kind($0[0])) == wanted }.shrink([json])[0]
  }
}
