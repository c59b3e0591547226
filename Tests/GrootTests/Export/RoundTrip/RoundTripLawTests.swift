import Testing

import Groot

/// The law of exports on models, graphs and options at random.
///
/// `GROOT_ROUND_TRIPS=first-last` in the environment runs other scenes than usual, `=17` one.
struct RoundTripLawTests {
  private static let blocks = 8

  private static let seeds = SeedRange.named("GROOT_ROUND_TRIPS", usually: 0...239)

  @Test(arguments: 0..<blocks)
  func whatIsExportedComesBack(block: Int) throws {
    for seed in Self.seeds where seed % Self.blocks == block {
      let json = try RoundTripScene.random(UInt64(seed))
      guard try Self.wrong(json) != nil else { continue }
      let least = Self.shrink(json, Self.wrong)
      let report = try Self.wrong(least) ?? "it is gone"
      Issue.record("scene \(seed): \(report)\n  in \(least)")
      return
    }
  }

  @Test(arguments: 0..<blocks)
  func whatWasOnlyNamedIsOneObjectStill(block: Int) throws {
    for seed in Self.seeds where seed % Self.blocks == block {
      let json = try RoundTripScene.random(UInt64(seed))
      guard try Self.doubling(json) != nil else { continue }
      let least = Self.shrink(json, Self.doubling)
      let report = try Self.doubling(least) ?? "it is gone"
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
    do {
      return try RoundTripLaw(scene: RoundTripScene(json)).violation()
    } catch is RoundTripScene.Unusable {
      return nil
    }
  }

  private static func doubling(_ json: JSONValue) throws -> String? {
    do {
      return try RoundTripLaw(scene: RoundTripScene(json)).doubling()
    } catch is RoundTripScene.Unusable {
      return nil
    }
  }

  /// The scene with all taken out of it that is not needed for it to be wrong.
  ///
  /// The first words of what is wrong stay the same.
  private static func shrink(
    _ json: JSONValue, _ wrong: (JSONValue) throws -> String?
  ) -> JSONValue {
    func kind(_ json: JSONValue) throws -> Substring? {
      try wrong(json)?.split(separator: ":").first
    }
    let wanted = try? kind(json)
    var json = json
    var isShorter = true
    while isShorter {
      isShorter = false
      for smaller in json.smaller where (try? kind(smaller)) == wanted {
        json = smaller
        isShorter = true
        break
      }
    }
    return json
  }
}
