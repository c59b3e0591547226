import Testing

import Groot

/// The law of reports: counts and changes are those of a comparison of two whole states.
///
/// `GROOT_REPORTS=first-last` in the environment runs other sequences than usual, `GROOT_REPORTS=17` one.
struct ReportLawTests {
  private static let stepCount = 14
  /// Sequences that found something once.
  private static let kept = [18, 27, 1150, 2840]

  private static var seeds: [Int] {
    let usual = 0...11
    let range = SeedRange.named("GROOT_REPORTS", usually: usual)
    return range == usual ? Array(range) + kept : Array(range)
  }

  @Test(arguments: ["groot", "hyper", "kvc"], [false, true])
  func aReportIsWhatDiffers(dialect: String, isStored: Bool) throws {
    for seed in Self.seeds {
      guard let fault = try Self.check(seed, dialect, isStored) else { continue }
      Issue.record("\(fault)")
      return
    }
  }

  /// What is wrong with the sequence of a seed, cut down to the steps that are needed.
  private static func check(_ seed: Int, _ name: String, _ isStored: Bool) throws -> String? {
    let dialect = try #require(Mapping.Dialect(rawValue: name))
    let subject = try ReportSubject(dialect: dialect, seed: UInt64(seed), steps: stepCount)
    func failure(_ operations: [LawOperation]) -> (String, [String])? {
      do {
        let run = try ReportRun(subject, isStored: isStored)
        do {
          try run.run(operations)
          return nil
        } catch {
          return ("\(error)", run.history)
        }
      } catch {
        return ("\(error)", [])
      }
    }
    guard failure(subject.operations) != nil else { return nil }
    let shortest = Shrinker { failure($0) != nil }.shrink(subject.operations)
    let (text, history) = failure(shortest) ?? ("it is gone", [])
    return """
      GROOT_REPORTS=\(seed) swift test --filter ReportLaw, \(name), \(isStored ? "stored" : "memory")
      \(text)
      after:
        \(history.joined(separator: "\n    "))
      in \(subject.document)
      """
  }
}
