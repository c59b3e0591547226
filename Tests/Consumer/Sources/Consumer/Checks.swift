/// Counts what holds and names what does not.
struct Checks {
  private(set) var passed = 0
  private(set) var failures: [String] = []

  mutating func expect<Content: Equatable>(
    _ actual: Content, _ expected: Content, line: Int = #line, file: String = #fileID
  ) {
    if actual == expected {
      passed += 1
    } else {
      failures.append("\(file):\(line): \(actual), not \(expected)")
    }
  }
}
