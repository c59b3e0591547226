/// A predicate that was read from JSON and checked against a model.
///
/// There are few forms, so that what executes it, in memory or as SQL, has little to know. Each is
/// true or false for every object, also where a value is missing.
indirect enum Predicate: Sendable {
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
  enum Comparison: String, CaseIterable, Sendable {
    case equal = "=="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    /// Whether it holds where the left value is before (negative), with (0) or behind the right one.
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

  /// The values that attributes of the object itself must have for the predicate to hold.
  var requiredValues: [(property: Property, value: Value)] {
    switch self {
    case .and(let parts): parts.flatMap(\.requiredValues)
    case .compare(let path, .equal, let value, ignoresCase: false) where path.steps.isEmpty:
      [(path.property, value)]
    default: []
    }
  }
}
