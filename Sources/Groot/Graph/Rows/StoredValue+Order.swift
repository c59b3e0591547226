// The order of values.

extension StoredValue {
  /// Returns a number below, equal to or above 0 if the value comes before, with or after another.
  ///
  /// A missing value comes first, and false before true. Text, bytes and UUIDs are sorted by bytes.
  package func order(_ other: StoredValue, as type: AttributeType) -> Int {
    guard isPresent && other.isPresent else {
      return (isPresent ? 1 : 0) - (other.isPresent ? 1 : 0)
    }
    switch type {
    case .integer16, .integer32, .integer64, .date, .day, .boolean:
      return integer < other.integer ? -1 : integer > other.integer ? 1 : 0
    case .double, .float: return real < other.real ? -1 : real > other.real ? 1 : 0
    case .decimal: return decimal < other.decimal ? -1 : decimal > other.decimal ? 1 : 0
    case .uuid:
      let (left, right) = ((word0, word1), (other.word0, other.word1))
      return left < right ? -1 : left > right ? 1 : 0
    case .string, .uri, .binary, .transformable, .composite:
      guard let start, let otherStart = other.start else { return count - other.count }
      if start == otherStart { return count - other.count }
      let order = CLibrary.compare(start, otherStart, count: min(count, other.count))
      return order != 0 ? order : count - other.count
    }
  }
  /// Does the same; `ignoresCase` treats the letters A to Z and a to z alike.
  @inline(__always)
  func order(_ other: StoredValue, as type: AttributeType, ignoresCase: Bool) -> Int {
    if ignoresCase && isPresent && other.isPresent {
      return TextMatch.foldedOrder(bytes, other.bytes)
    }
    return order(other, as: type)
  }
}
