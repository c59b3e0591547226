// Comparisons of properties with values. Text and bytes are compared by their bytes, and false is
// before true. For a missing value, only `==` nil and `!=` a value are true.

extension PropertyKey {
  /// Returns the condition that compares a property with a value.
  fileprivate func condition<Object: Entity>(
    _ relation: String, _ value: some AttributeValue
  ) -> Condition<Object> {
    Condition(self, relation, value.attributeValue.json)
  }
}

/// Returns the condition that an attribute equals a value; nil means no value.
public func == <Object: Entity, Content: AttributeValue>(
  path: KeyPath<Object.Properties, Attribute<Content>>, value: Content
) -> Condition<Object> {
  Object.properties[keyPath: path].propertyKey.condition("==", value)
}

/// Returns the condition that an attribute has another value, or none.
public func != <Object: Entity, Content: AttributeValue>(
  path: KeyPath<Object.Properties, Attribute<Content>>, value: Content
) -> Condition<Object> {
  Object.properties[keyPath: path].propertyKey.condition("!=", value)
}

/// Returns the condition that an attribute is less than a value.
public func < <Object: Entity, Content: AttributeValue>(
  path: KeyPath<Object.Properties, Attribute<Content>>, value: Content
) -> Condition<Object> {
  Object.properties[keyPath: path].propertyKey.condition("<", value)
}

/// Returns the condition that an attribute has a value less than another.
public func < <Object: Entity, Content: AttributeValue>(
  path: KeyPath<Object.Properties, Attribute<Content?>>, value: Content
) -> Condition<Object> {
  Object.properties[keyPath: path].propertyKey.condition("<", value)
}

/// Returns the condition that an attribute is at most a value.
public func <= <Object: Entity, Content: AttributeValue>(
  path: KeyPath<Object.Properties, Attribute<Content>>, value: Content
) -> Condition<Object> {
  Object.properties[keyPath: path].propertyKey.condition("<=", value)
}

/// Returns the condition that an attribute has a value of at most another.
public func <= <Object: Entity, Content: AttributeValue>(
  path: KeyPath<Object.Properties, Attribute<Content?>>, value: Content
) -> Condition<Object> {
  Object.properties[keyPath: path].propertyKey.condition("<=", value)
}

/// Returns the condition that an attribute is greater than a value.
public func > <Object: Entity, Content: AttributeValue>(
  path: KeyPath<Object.Properties, Attribute<Content>>, value: Content
) -> Condition<Object> {
  Object.properties[keyPath: path].propertyKey.condition(">", value)
}

/// Returns the condition that an attribute has a value greater than another.
public func > <Object: Entity, Content: AttributeValue>(
  path: KeyPath<Object.Properties, Attribute<Content?>>, value: Content
) -> Condition<Object> {
  Object.properties[keyPath: path].propertyKey.condition(">", value)
}

/// Returns the condition that an attribute is at least a value.
public func >= <Object: Entity, Content: AttributeValue>(
  path: KeyPath<Object.Properties, Attribute<Content>>, value: Content
) -> Condition<Object> {
  Object.properties[keyPath: path].propertyKey.condition(">=", value)
}

/// Returns the condition that an attribute has a value of at least another.
public func >= <Object: Entity, Content: AttributeValue>(
  path: KeyPath<Object.Properties, Attribute<Content?>>, value: Content
) -> Condition<Object> {
  Object.properties[keyPath: path].propertyKey.condition(">=", value)
}
