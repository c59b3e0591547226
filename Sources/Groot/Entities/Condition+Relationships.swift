// Conditions about the members of relationships.

/// Returns the condition that a to-one relationship has no member; it can be compared only with
/// nil.
public func == <Object: Entity, Destination>(
  path: KeyPath<Object.Properties, ToOne<Destination>>, none: _OptionalNilComparisonType
) -> Condition<Object> {
  Condition(Object.properties[keyPath: path].propertyKey, "==", .null)
}

/// Returns the condition that a to-one relationship has a member; it can be compared only with nil.
public func != <Object: Entity, Destination>(
  path: KeyPath<Object.Properties, ToOne<Destination>>, none: _OptionalNilComparisonType
) -> Condition<Object> {
  Condition(Object.properties[keyPath: path].propertyKey, "!=", .null)
}

extension Condition {
  /// Returns the condition that at least one member meets another condition.
  public static func any<Member>(
    _ path: KeyPath<Object.Properties, ToMany<Member>>, _ condition: Condition<Member>
  ) -> Condition {
    Condition(Object.properties[keyPath: path].propertyKey, "any", condition.predicate)
  }

  /// Returns the condition that all members meet another condition, or that there are none.
  public static func all<Member>(
    _ path: KeyPath<Object.Properties, ToMany<Member>>, _ condition: Condition<Member>
  ) -> Condition {
    Condition(Object.properties[keyPath: path].propertyKey, "all", condition.predicate)
  }

  /// Returns the condition that no member meets another condition.
  public static func none<Member>(
    _ path: KeyPath<Object.Properties, ToMany<Member>>, _ condition: Condition<Member>
  ) -> Condition {
    Condition(Object.properties[keyPath: path].propertyKey, "none", condition.predicate)
  }

  /// Returns the condition that the number of members is in a range.
  public static func count<Member>(
    _ path: KeyPath<Object.Properties, ToMany<Member>>, in range: ClosedRange<Int>
  ) -> Condition {
    let bounds: JSONValue = [.integer(Int64(range.lowerBound)), .integer(Int64(range.upperBound))]
    return Condition(Object.properties[keyPath: path].propertyKey, "count", ["between": bounds])
  }
}
