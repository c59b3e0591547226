// Equality and hashes of JSON values; neither needs more stack for deeper values.

extension JSONValue: Hashable {
  /// Returns whether two values have the same kind and content.
  ///
  /// Complexity: O(size).
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    var waiting: [(JSONValue, JSONValue)] = []
    var (left, right) = (left, right)
    while true {
      switch (left, right) {
      case (.array(let one), .array(let other)):
        guard one.count == other.count else { return false }
        waiting.append(contentsOf: zip(one, other))
      case (.object(let one), .object(let other)):
        guard one.count == other.count else { return false }
        for (key, value) in one.members {
          guard let same = other[key] else { return false }
          waiting.append((value, same))
        }
      default: guard isSame(left, right) else { return false }
      }
      guard let next = waiting.popLast() else { return true }
      (left, right) = next
    }
  }

  private static func isSame(_ left: JSONValue, _ right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.boolean(let left), .boolean(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right
    case (.largeNumber(let left), .largeNumber(let right)): left == right
    case (.string(let left), .string(let right)): Name(left) == Name(right)
    default: false
    }
  }

  /// The number of levels of a value that are hashed.
  private static let hashedLevels = 64

  /// Hashes the kind and the content of the upper levels.
  public func hash(into hasher: inout Hasher) { hash(into: &hasher, levels: Self.hashedLevels) }

  /// Hashes the upper levels; recursion is bounded by `levels`.
  fileprivate func hash(into hasher: inout Hasher, levels: Int) {
    switch self {
    case .null: hasher.combine(0)
    case .boolean(let value):
      hasher.combine(1)
      hasher.combine(value)
    case .integer(let value):
      hasher.combine(2)
      hasher.combine(value)
    case .real(let value):
      hasher.combine(3)
      hasher.combine(value)
    case .string(let value):
      hasher.combine(4)
      hasher.combine(Name(value))
    case .largeNumber(let value):
      hasher.combine(7)
      hasher.combine(value)
    case .array(let array):
      hasher.combine(5)
      hasher.combine(array.count)
      if levels > 0 { for value in array { value.hash(into: &hasher, levels: levels - 1) } }
    case .object(let object):
      hasher.combine(6)
      hasher.combine(object.count)
      if levels > 0 { hasher.combine(object.sumOfHashes(levels: levels - 1)) }
    }
  }
}

extension JSONObject {
  /// Returns a sum of hashes that does not depend on the order of the members.
  fileprivate func sumOfHashes(levels: Int) -> Int {
    members.reduce(into: 0) { sum, member in
      var hasher = Hasher()
      hasher.combine(Name(member.key))
      member.value.hash(into: &hasher, levels: levels)
      sum &+= hasher.finalize()
    }
  }
}
