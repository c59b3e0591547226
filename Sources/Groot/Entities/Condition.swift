/// The condition for an object: comparisons of properties, joined by `&&`, `||` and `!`.
///
/// ```swift
/// try context.fetch(Hero.self, where: \.publisher.name == "DC" && \.rating > 8)
/// try context.fetch(Hero.self, where: .contains(\.name, "man") || .any(\.powers, \.name == "Flight"))
/// ```
///
/// `Object` is the ``Entity`` that is asked for.
public struct Condition<Object: Entity>: Sendable {
  /// The same as a predicate in JSON, as docs/reference/fetching.md has it.
  public let predicate: JSONValue

  /// Takes over a predicate in JSON, whose names are checked when it is used.
  public init(_ predicate: JSONValue) { self.predicate = predicate }

  init(_ key: PropertyKey, _ content: JSONValue) {
    predicate = .object(JSONObject([(key: key.name, value: content)]))
  }

  init(_ key: PropertyKey, _ name: String, _ operand: JSONValue) {
    self.init(key, .object(JSONObject([(key: name, value: operand)])))
  }
}

extension Condition {
  /// Both hold.
  public static func && (left: Condition, right: Condition) -> Condition {
    Condition(["and": [left.predicate, right.predicate]])
  }

  /// At least one holds.
  public static func || (left: Condition, right: Condition) -> Condition {
    Condition(["or": [left.predicate, right.predicate]])
  }

  /// It does not hold.
  public static prefix func ! (condition: Condition) -> Condition {
    Condition(["not": condition.predicate])
  }
}
