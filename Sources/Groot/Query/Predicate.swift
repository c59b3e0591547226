/// A predicate, read from JSON and checked against a model.
///
/// It has few forms, so that executing it in memory or as SQL is simple. Each is true or false for
/// every object, even if a value is missing.
package indirect enum Predicate: Sendable {
  case constant(Bool)
  case and([Predicate])
  case or([Predicate])
  case not(Predicate)
  /// Whether an attribute has a value, or a to-one relationship a member.
  case hasValue(PropertyPath)
  /// Whether an attribute has a value, and the comparison with the operand holds.
  case compare(PropertyPath, Comparison, Value, ignoresCase: Bool)
  /// Whether an attribute's value is one of the operands.
  case isOne(PropertyPath, of: [Value], ignoresCase: Bool)
  /// Whether the text of an attribute matches.
  case text(PropertyPath, TextMatch, String, ignoresCase: Bool)
  /// Whether a predicate holds for some member of a to-many relationship.
  case any(PropertyPath, Predicate)
  /// Whether the comparison of a to-many relationship's number of members holds.
  case count(PropertyPath, Comparison, Int64)

  /// A comparison of two values.
  package enum Comparison: String, CaseIterable, Sendable {
    case equal = "=="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    /// Returns whether it holds for an order: negative if the left value is first, 0 if both are
    /// equal, else positive.
    @inline(__always)
    func holds(_ order: Int) -> Bool {
      switch self {
      case .equal: order == 0
      case .less: order < 0
      case .lessOrEqual: order <= 0
      case .greater: order > 0
      case .greaterOrEqual: order >= 0
      }
    }
  }

  /// Returns the value that the predicate requires of an attribute of the object itself; nil
  /// without one.
  func requiredValue(of number: Int) -> Value? {
    switch self {
    case .and(let parts):
      for part in parts {
        if let value = part.requiredValue(of: number) { return value }
      }
      return nil
    case .compare(let path, .equal, let value, ignoresCase: false)
    where path.steps.isEmpty && path.property.number == number:
      return value
    default: return nil
    }
  }

  /// Returns whether it consists only of a number of comparisons for equality.
  func isComparison(of count: Int) -> Bool {
    switch self {
    case .and(let parts): parts.count == count && parts.allSatisfy { $0.isComparison(of: 1) }
    case .compare(_, .equal, _, ignoresCase: false): count == 1
    default: false
    }
  }
}
