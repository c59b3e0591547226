import Groot

/// Comparing what is with what a case says.
enum CaseComparison {
  /// How far two values must agree.
  enum Strictness {
    case whole
    /// As an object describes it that need not say all.
    case inPart
    /// The same, without line and column.
    case inPartWithoutLocation
  }

  /// Equality of JSON where 1 equals 1.0 and the order of keys does not matter.
  static func areEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
    compare(left, right, .whole)
  }

  /// Whether a value is as a case describes it, which may be in part.
  static func matches(_ found: JSONValue, _ expected: JSONValue, hasPlace: Bool) -> Bool {
    compare(found, expected, hasPlace ? .inPart : .inPartWithoutLocation)
  }

  private static func compare(_ left: JSONValue, _ right: JSONValue, _ how: Strictness) -> Bool {
    if how != .whole && right == "*" { return true }
    switch (left, right) {
    case (.integer(let left), .real(let right)), (.real(let right), .integer(let left)):
      return Double(left) == right
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { compare($0, $1, how) }
    case (.object(let object), .object(let wanted)):
      if how == .whole && object.count != wanted.count { return false }
      return wanted.members.allSatisfy { compare(object, $0, $1, how) }
    default: return left == right
    }
  }

  private static func compare(
    _ object: JSONObject, _ key: String, _ wanted: JSONValue, _ how: Strictness
  ) -> Bool {
    if how != .whole && key == "contains" {
      return object["message"]?.stringValue?.contains(wanted.stringValue ?? "?") ?? false
    }
    if how == .inPartWithoutLocation && (key == "line" || key == "column") { return true }
    guard let found = object[key] else { return false }
    if how != .whole && key == "properties", found.objectValue?.count != wanted.objectValue?.count {
      return false
    }
    return compare(found, wanted, how)
  }

  /// Text that is the same for all orders of the elements of arrays.
  static func withoutOrder(_ value: JSONValue) -> String {
    switch value {
    case .array(let elements):
      "[" + elements.map(withoutOrder).sorted().joined(separator: ",") + "]"
    case .object(let object):
      "{" + object.members.map { "\($0):\(withoutOrder($1))" }.sorted().joined(separator: ",") + "}"
    default: value.description
    }
  }

  /// Changes a document by a patch: members replace members, null removes them (RFC 7396).
  static func patched(_ document: JSONValue, _ patch: JSONValue) -> JSONValue {
    guard case .object(let changes) = patch else { return patch }
    var object = document.objectValue ?? JSONObject()
    for (key, value) in changes.members {
      // A plain nil would be the value null.
      object[key] =
        value.isNull ? JSONValue?.none : patched(object[key] ?? .null, value)
    }
    return .object(object)
  }
}
