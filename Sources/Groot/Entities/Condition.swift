/// A condition on an object: comparisons of properties, joined by `&&`, `||` and `!`.
///
/// ```swift
/// try context.fetch(Hero.self, where: \.publisher.name == "DC" && \.rating > 8)
/// try context.fetch(Hero.self, where: .contains(\.name, "man") || .any(\.powers, \.name == "Flight"))
/// ```
///
/// `Object` is the ``Entity`` of the objects.
public struct Condition<Object: Entity>: Sendable {
  /// The condition as a predicate in JSON (docs/reference/fetching.md).
  public let predicate: JSONValue

  /// Makes a condition from a predicate in JSON, whose names are checked when it is used.
  public init(_ predicate: JSONValue) { self.predicate = predicate }

  init(_ key: PropertyKey, _ content: JSONValue) {
    predicate = .object(JSONObject([(key: key.name, value: content)]))
  }

  init(_ key: PropertyKey, _ name: String, _ operand: JSONValue) {
    self.init(key, .object(JSONObject([(key: name, value: operand)])))
  }
}

extension Condition {
  /// Returns the condition that both conditions hold.
  public static func && (left: Condition, right: Condition) -> Condition {
    Condition(["and": [left.predicate, right.predicate]])
  }

  /// Returns the condition that at least one condition holds.
  public static func || (left: Condition, right: Condition) -> Condition {
    Condition(["or": [left.predicate, right.predicate]])
  }

  /// Returns the condition that a condition does not hold.
  public static prefix func ! (condition: Condition) -> Condition {
    Condition(["not": condition.predicate])
  }
}
