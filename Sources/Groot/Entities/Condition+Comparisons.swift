// Comparisons of properties with values. Text and bytes are compared by their bytes, false comes
// before true, and where there is no value only `==` and `!=` nil are true.

extension PropertyKey {
  /// That a property stands in this relation to a value.
  fileprivate func condition<Object: Entity>(
    _ relation: String, _ value: some AttributeValue
  ) -> Condition<Object> {
    Condition(self, relation, value.attributeValue.json)
  }
}

/// The attribute has the value; nil means no value.
public func == <Object: Entity, Content: AttributeValue>(
  path: KeyPath<Object.Properties, Attribute<Content>>, value: Content
) -> Condition<Object> {
  Object.properties[keyPath: path].propertyKey.condition("==", value)
}

/// The attribute has another value, or none.
public func != <Object: Entity, Content: AttributeValue>(
  path: KeyPath<Object.Properties, Attribute<Content>>, value: Content
) -> Condition<Object> {
  Object.properties[keyPath: path].propertyKey.condition("!=", value)
}

/// The attribute is smaller.
public func < <Object: Entity, Content: AttributeValue>(
  path: KeyPath<Object.Properties, Attribute<Content>>, value: Content
) -> Condition<Object> {
  Object.properties[keyPath: path].propertyKey.condition("<", value)
}

/// The attribute has a value, which is smaller.
public func < <Object: Entity, Content: AttributeValue>(
  path: KeyPath<Object.Properties, Attribute<Content?>>, value: Content
) -> Condition<Object> {
  Object.properties[keyPath: path].propertyKey.condition("<", value)
}

/// The attribute is smaller, or the same.
public func <= <Object: Entity, Content: AttributeValue>(
  path: KeyPath<Object.Properties, Attribute<Content>>, value: Content
) -> Condition<Object> {
  Object.properties[keyPath: path].propertyKey.condition("<=", value)
}

/// The attribute has a value, which is smaller, or the same.
public func <= <Object: Entity, Content: AttributeValue>(
  path: KeyPath<Object.Properties, Attribute<Content?>>, value: Content
) -> Condition<Object> {
  Object.properties[keyPath: path].propertyKey.condition("<=", value)
}

/// The attribute is greater.
public func > <Object: Entity, Content: AttributeValue>(
  path: KeyPath<Object.Properties, Attribute<Content>>, value: Content
) -> Condition<Object> {
  Object.properties[keyPath: path].propertyKey.condition(">", value)
}

/// The attribute has a value, which is greater.
public func > <Object: Entity, Content: AttributeValue>(
  path: KeyPath<Object.Properties, Attribute<Content?>>, value: Content
) -> Condition<Object> {
  Object.properties[keyPath: path].propertyKey.condition(">", value)
}

/// The attribute is greater, or the same.
public func >= <Object: Entity, Content: AttributeValue>(
  path: KeyPath<Object.Properties, Attribute<Content>>, value: Content
) -> Condition<Object> {
  Object.properties[keyPath: path].propertyKey.condition(">=", value)
}

/// The attribute has a value, which is greater, or the same.
public func >= <Object: Entity, Content: AttributeValue>(
  path: KeyPath<Object.Properties, Attribute<Content?>>, value: Content
) -> Condition<Object> {
  Object.properties[keyPath: path].propertyKey.condition(">=", value)
}
