// Conditions about text, and about sets and ranges of values.

extension Condition {
  private static func text(
    _ key: PropertyKey, _ relation: String, _ operand: String, _ ignoresCase: Bool
  ) -> Condition {
    var operators = JSONObject([(key: relation, value: .string(operand))])
    if ignoresCase { operators["ignoreCase"] = true }
    return Condition(key, .object(operators))
  }

  /// Returns the condition that a text contains another.
  ///
  /// - Parameters:
  ///   - path: The attribute.
  ///   - part: The other text.
  ///   - ignoresCase: Whether A to Z are the same as a to z.
  public static func contains<Content: AttributeValue>(
    _ path: KeyPath<Object.Properties, Attribute<Content>>, _ part: String,
    ignoresCase: Bool = false
  ) -> Condition {
    text(Object.properties[keyPath: path].propertyKey, "contains", part, ignoresCase)
  }

  /// Returns the condition that a text begins with another.
  ///
  /// - Parameters:
  ///   - path: The attribute.
  ///   - start: The other text.
  ///   - ignoresCase: Whether A to Z are the same as a to z.
  public static func begins<Content: AttributeValue>(
    _ path: KeyPath<Object.Properties, Attribute<Content>>, with start: String,
    ignoresCase: Bool = false
  ) -> Condition {
    text(Object.properties[keyPath: path].propertyKey, "beginsWith", start, ignoresCase)
  }

  /// Returns the condition that a text ends with another.
  ///
  /// - Parameters:
  ///   - path: The attribute.
  ///   - end: The other text.
  ///   - ignoresCase: Whether A to Z are the same as a to z.
  public static func ends<Content: AttributeValue>(
    _ path: KeyPath<Object.Properties, Attribute<Content>>, with end: String,
    ignoresCase: Bool = false
  ) -> Condition {
    text(Object.properties[keyPath: path].propertyKey, "endsWith", end, ignoresCase)
  }

  /// Returns the condition that a text matches a pattern, in which `*` is any text and `?` one
  /// character.
  ///
  /// - Parameters:
  ///   - path: The attribute.
  ///   - pattern: The pattern.
  ///   - ignoresCase: Whether A to Z are the same as a to z.
  public static func matches<Content: AttributeValue>(
    _ path: KeyPath<Object.Properties, Attribute<Content>>, like pattern: String,
    ignoresCase: Bool = false
  ) -> Condition {
    text(Object.properties[keyPath: path].propertyKey, "like", pattern, ignoresCase)
  }

  /// Returns the condition that an attribute has one of the values; nil means no value.
  public static func value<Content: AttributeValue>(
    _ path: KeyPath<Object.Properties, Attribute<Content>>, in values: some Sequence<Content>
  ) -> Condition {
    let list = values.map(\.attributeValue.json)
    return Condition(Object.properties[keyPath: path].propertyKey, "in", .array(list))
  }

  /// Returns the condition that an attribute is between two values, both included.
  public static func between<Content: AttributeValue & Comparable>(
    _ path: KeyPath<Object.Properties, Attribute<Content>>, _ range: ClosedRange<Content>
  ) -> Condition {
    between(Object.properties[keyPath: path].propertyKey, range)
  }

  /// Returns the condition that an attribute is between two values, both included.
  public static func between<Content: AttributeValue & Comparable>(
    _ path: KeyPath<Object.Properties, Attribute<Content?>>, _ range: ClosedRange<Content>
  ) -> Condition {
    between(Object.properties[keyPath: path].propertyKey, range)
  }

  private static func between<Content: AttributeValue>(
    _ key: PropertyKey, _ range: ClosedRange<Content>
  ) -> Condition {
    let (first, last) = (range.lowerBound.attributeValue.json, range.upperBound.attributeValue.json)
    return Condition(key, "between", [first, last])
  }
}
