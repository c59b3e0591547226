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

extension ClosedRange<Int> {
  /// Those of one block of several, which run beside each other.
  func block(_ number: Int, of count: Int) -> LazyFilterSequence<Self> {
    lazy.filter { $0 % count == number }
  }
}
