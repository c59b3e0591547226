import Foundation

/// The seeds that a law tries.
enum SeedRange {
  /// What an environment variable says, `first-last` or a single number; else the usual ones.
  static func named(_ variable: String, usually range: ClosedRange<Int>) -> ClosedRange<Int> {
    let text = ProcessInfo.processInfo.environment[variable] ?? ""
    let ends = text.split(separator: "-").compactMap { Int($0) }
    guard let first = ends.first, let last = ends.last, first <= last else { return range }
    return first...last
  }
}
