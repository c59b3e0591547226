/// A predicate that was read from JSON and checked against a model.
///
/// There are few forms, so that what executes it, in memory or as SQL, has little to know. Each is
/// true or false for every object, also where a value is missing.
package indirect enum Predicate: Sendable {
  case constant(Bool)
  case and([Predicate])
  case or([Predicate])
  case not(Predicate)
  /// Whether an attribute has a value, or a to-one relationship a member.
  case hasValue(PropertyPath)
  /// Whether an attribute has a value that compares so with the operand.
  case compare(PropertyPath, Comparison, Value, ignoresCase: Bool)
  /// Whether an attribute's value is one of these.
  case isOne(PropertyPath, of: [Value], ignoresCase: Bool)
  /// Whether the text of an attribute matches.
  case text(PropertyPath, TextMatch, String, ignoresCase: Bool)
  /// Whether a predicate holds for some member of a to-many relationship.
  case any(PropertyPath, Predicate)
  /// How the number of members of a to-many relationship compares.
  case count(PropertyPath, Comparison, Int64)

  /// How two values in order compare.
  package enum Comparison: String, CaseIterable, Sendable {
    case equal = "=="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    /// Whether it holds where the left value is before (negative), with (0) or after the right one.
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

  /// The value that an attribute of the object itself must have for the predicate to hold; nil when
  /// there is none, or the predicate does not say.
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

  /// Whether it asks no more than that attributes have certain values, so many of them.
  func isComparison(of count: Int) -> Bool {
    switch self {
    case .and(let parts): parts.count == count && parts.allSatisfy { $0.isComparison(of: 1) }
    case .compare(_, .equal, _, ignoresCase: false): count == 1
    default: false
    }
  }
}
