// Conditions about the members of relationships.

/// The to-one relationship leads to no object; compared with nil alone.
public func == <Object: Entity, Destination>(
  path: KeyPath<Object.Properties, ToOne<Destination>>, none: _OptionalNilComparisonType
) -> Condition<Object> {
  Condition(Object.properties[keyPath: path].propertyKey, "==", .null)
}

/// The to-one relationship leads to an object; compared with nil alone.
public func != <Object: Entity, Destination>(
  path: KeyPath<Object.Properties, ToOne<Destination>>, none: _OptionalNilComparisonType
) -> Condition<Object> {
  Condition(Object.properties[keyPath: path].propertyKey, "!=", .null)
}

extension Condition {
  /// The condition holds for at least one member.
  public static func any<Member>(
    _ path: KeyPath<Object.Properties, ToMany<Member>>, _ condition: Condition<Member>
  ) -> Condition {
    Condition(Object.properties[keyPath: path].propertyKey, "any", condition.predicate)
  }

  /// The condition holds for all members; also if there are none.
  public static func all<Member>(
    _ path: KeyPath<Object.Properties, ToMany<Member>>, _ condition: Condition<Member>
  ) -> Condition {
    Condition(Object.properties[keyPath: path].propertyKey, "all", condition.predicate)
  }

  /// The condition holds for no member.
  public static func none<Member>(
    _ path: KeyPath<Object.Properties, ToMany<Member>>, _ condition: Condition<Member>
  ) -> Condition {
    Condition(Object.properties[keyPath: path].propertyKey, "none", condition.predicate)
  }

  /// There are as many members as a range holds.
  public static func count<Member>(
    _ path: KeyPath<Object.Properties, ToMany<Member>>, in range: ClosedRange<Int>
  ) -> Condition {
    let bounds: JSONValue = [.integer(Int64(range.lowerBound)), .integer(Int64(range.upperBound))]
    return Condition(Object.properties[keyPath: path].propertyKey, "count", ["between": bounds])
  }
}
