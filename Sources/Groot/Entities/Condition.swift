#if Entities

/// A condition on the objects of an entity: comparisons of properties, joined by `&&`, `||` and `!`.
///
/// ```swift
/// try context.fetch(Hero.self) { $0.publisher.name == "DC" && $0.rating > 8 }
/// try context.fetch(Hero.self) { $0.name.contains("man") || $0.powers.any { $0.name == "Flight" } }
/// ```
///
/// A fetch calls the closure once, with the paths to the properties of the entity.
public struct Condition<Object: Entity>: Sendable {
  /// The condition as a predicate in JSON (docs/reference/fetching.md).
  public let predicate: JSONValue

  /// Makes a condition from a predicate in JSON, whose names are checked when it is used.
  public init(_ predicate: JSONValue) { self.predicate = predicate }

  /// Makes a condition that can be used several times: `fetch(Hero.self) { _ in condition }`.
  ///
  /// - Parameter condition: The function that makes it, from the paths to the properties.
  public init(_ condition: (EntityPaths<Object>) -> Condition) {
    self = condition(EntityPaths())
  }

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

#endif
