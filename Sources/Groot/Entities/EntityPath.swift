#if Entities

/// The paths to the properties of an entity: the argument of a condition.
@dynamicMemberLookup
public struct EntityPaths<Object: Entity>: Sendable {
  init() {}

  /// The path to a property.
  public subscript<Property: TypedProperty>(
    dynamicMember path: KeyPath<Object.Properties, Property>
  ) -> EntityPath<Object, Property> {
    EntityPath(key: Object.properties[keyPath: path].propertyKey)
  }
}

/// The path from an entity to a property, its own or one behind to-one relationships.
///
/// The properties of the destination of a to-one relationship are its members, as in
/// `$0.publisher.name`.
@dynamicMemberLookup
public struct EntityPath<Object: Entity, Property: TypedProperty>: Sendable {
  let key: PropertyKey

  /// The path to a property of the member.
  public subscript<Next: TypedProperty>(
    dynamicMember path: KeyPath<Property.Destination.Properties, Next>
  ) -> EntityPath<Object, Next> where Property: TypedToOne {
    let next = Property.Destination.properties[keyPath: path].propertyKey
    return EntityPath<Object, Next>(key: PropertyKey(next, behind: key))
  }
}

// Comparisons of attributes with values. Text and bytes are compared by their bytes, and false is
// before true. For a missing value, only `==` nil and `!=` a value are true.

extension EntityPath {
  /// Returns the condition that an attribute equals a value; nil means no value.
  public static func == <Content>(
    path: EntityPath, value: Content
  ) -> Condition<Object> where Property == Attribute<Content> {
    Condition(path.key, "==", value.attributeValue.json)
  }

  /// Returns the condition that an attribute has another value, or none.
  public static func != <Content>(
    path: EntityPath, value: Content
  ) -> Condition<Object> where Property == Attribute<Content> {
    Condition(path.key, "!=", value.attributeValue.json)
  }

  /// Returns the condition that an attribute has a value less than another.
  public static func < <Content>(
    path: EntityPath, value: Content.Present
  ) -> Condition<Object> where Property == Attribute<Content> {
    Condition(path.key, "<", value.attributeValue.json)
  }

  /// Returns the condition that an attribute has a value of at most another.
  public static func <= <Content>(
    path: EntityPath, value: Content.Present
  ) -> Condition<Object> where Property == Attribute<Content> {
    Condition(path.key, "<=", value.attributeValue.json)
  }

  /// Returns the condition that an attribute has a value greater than another.
  public static func > <Content>(
    path: EntityPath, value: Content.Present
  ) -> Condition<Object> where Property == Attribute<Content> {
    Condition(path.key, ">", value.attributeValue.json)
  }

  /// Returns the condition that an attribute has a value of at least another.
  public static func >= <Content>(
    path: EntityPath, value: Content.Present
  ) -> Condition<Object> where Property == Attribute<Content> {
    Condition(path.key, ">=", value.attributeValue.json)
  }

  /// Returns the condition that a to-one relationship has no member; it can be compared only with
  /// nil.
  public static func == (
    path: EntityPath, none: _OptionalNilComparisonType
  ) -> Condition<Object> where Property: TypedToOne {
    Condition(path.key, "==", .null)
  }

  /// Returns the condition that a to-one relationship has a member; it can be compared only with
  /// nil.
  public static func != (
    path: EntityPath, none: _OptionalNilComparisonType
  ) -> Condition<Object> where Property: TypedToOne {
    Condition(path.key, "!=", .null)
  }
}

// Conditions about text, about sets and ranges of values, and about members of relationships. Their
// words are those of predicates in JSON.

extension EntityPath {
  /// Returns the condition that a text contains another.
  ///
  /// - Parameters:
  ///   - part: The other text.
  ///   - ignoresCase: Whether A to Z are the same as a to z.
  public func contains<Content>(
    _ part: String, ignoresCase: Bool = false
  ) -> Condition<Object> where Property == Attribute<Content> {
    condition("contains", part, ignoresCase)
  }

  /// Returns the condition that a text begins with another.
  ///
  /// - Parameters:
  ///   - start: The other text.
  ///   - ignoresCase: Whether A to Z are the same as a to z.
  public func beginsWith<Content>(
    _ start: String, ignoresCase: Bool = false
  ) -> Condition<Object> where Property == Attribute<Content> {
    condition("beginsWith", start, ignoresCase)
  }

  /// Returns the condition that a text ends with another.
  ///
  /// - Parameters:
  ///   - end: The other text.
  ///   - ignoresCase: Whether A to Z are the same as a to z.
  public func endsWith<Content>(
    _ end: String, ignoresCase: Bool = false
  ) -> Condition<Object> where Property == Attribute<Content> {
    condition("endsWith", end, ignoresCase)
  }

  /// Returns the condition that a text matches a pattern, in which `*` is any text and `?` one
  /// character.
  ///
  /// - Parameters:
  ///   - pattern: The pattern.
  ///   - ignoresCase: Whether A to Z are the same as a to z.
  public func like<Content>(
    _ pattern: String, ignoresCase: Bool = false
  ) -> Condition<Object> where Property == Attribute<Content> {
    condition("like", pattern, ignoresCase)
  }

  private func condition(
    _ relation: String, _ operand: String, _ ignoresCase: Bool
  ) -> Condition<Object> {
    var operators = JSONObject([(key: relation, value: .string(operand))])
    if ignoresCase { operators["ignoreCase"] = true }
    return Condition(key, .object(operators))
  }

  /// Returns the condition that an attribute has one of the values; nil means no value.
  public func `in`<Content>(
    _ values: some Sequence<Content>
  ) -> Condition<Object> where Property == Attribute<Content> {
    Condition(key, "in", .array(values.map(\.attributeValue.json)))
  }

  /// Returns the condition that an attribute is between two values, both included.
  ///
  /// - Parameters:
  ///   - low: The least value.
  ///   - high: The greatest value.
  public func between<Content>(
    _ low: Content.Present, and high: Content.Present
  ) -> Condition<Object> where Property == Attribute<Content> {
    Condition(key, "between", [low.attributeValue.json, high.attributeValue.json])
  }

  /// Returns the condition that at least one member meets another condition.
  ///
  /// - Parameter condition: The function that makes the other condition, for a member.
  public func any<Member>(
    _ condition: (EntityPaths<Member>) -> Condition<Member>
  ) -> Condition<Object> where Property == ToMany<Member> {
    Condition(key, "any", Condition(condition).predicate)
  }

  /// Returns the condition that all members meet another condition, or that there are none.
  ///
  /// - Parameter condition: The function that makes the other condition, for a member.
  public func all<Member>(
    _ condition: (EntityPaths<Member>) -> Condition<Member>
  ) -> Condition<Object> where Property == ToMany<Member> {
    Condition(key, "all", Condition(condition).predicate)
  }

  /// Returns the condition that no member meets another condition.
  ///
  /// - Parameter condition: The function that makes the other condition, for a member.
  public func none<Member>(
    _ condition: (EntityPaths<Member>) -> Condition<Member>
  ) -> Condition<Object> where Property == ToMany<Member> {
    Condition(key, "none", Condition(condition).predicate)
  }

  /// Returns the condition that the number of members is in a range.
  public func count<Member>(
    in range: ClosedRange<Int>
  ) -> Condition<Object> where Property == ToMany<Member> {
    let bounds: JSONValue = [.integer(Int64(range.lowerBound)), .integer(Int64(range.upperBound))]
    return Condition(key, "count", ["between": bounds])
  }
}

#endif
