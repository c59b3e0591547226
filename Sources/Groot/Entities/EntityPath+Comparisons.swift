// Comparisons of attributes with values. Text and bytes are compared by their bytes, and false is
// before true. For a missing value, only `==` nil and `!=` a value are true.

/// Returns the condition that an attribute equals a value; nil means no value.
public func == <Object, Content>(
  path: EntityPath<Object, Attribute<Content>>, value: Content
) -> Condition<Object> {
  Condition(path.key, "==", value.attributeValue.json)
}

/// Returns the condition that an attribute has another value, or none.
public func != <Object, Content>(
  path: EntityPath<Object, Attribute<Content>>, value: Content
) -> Condition<Object> {
  Condition(path.key, "!=", value.attributeValue.json)
}

/// Returns the condition that an attribute has a value less than another.
public func < <Object, Content>(
  path: EntityPath<Object, Attribute<Content>>, value: Content.Present
) -> Condition<Object> {
  Condition(path.key, "<", value.attributeValue.json)
}

/// Returns the condition that an attribute has a value of at most another.
public func <= <Object, Content>(
  path: EntityPath<Object, Attribute<Content>>, value: Content.Present
) -> Condition<Object> {
  Condition(path.key, "<=", value.attributeValue.json)
}

/// Returns the condition that an attribute has a value greater than another.
public func > <Object, Content>(
  path: EntityPath<Object, Attribute<Content>>, value: Content.Present
) -> Condition<Object> {
  Condition(path.key, ">", value.attributeValue.json)
}

/// Returns the condition that an attribute has a value of at least another.
public func >= <Object, Content>(
  path: EntityPath<Object, Attribute<Content>>, value: Content.Present
) -> Condition<Object> {
  Condition(path.key, ">=", value.attributeValue.json)
}

/// Returns the condition that a to-one relationship has no member; it can be compared only with
/// nil.
public func == <Object, Destination>(
  path: EntityPath<Object, ToOne<Destination>>, none: _OptionalNilComparisonType
) -> Condition<Object> {
  Condition(path.key, "==", .null)
}

/// Returns the condition that a to-one relationship has a member; it can be compared only with nil.
public func != <Object, Destination>(
  path: EntityPath<Object, ToOne<Destination>>, none: _OptionalNilComparisonType
) -> Condition<Object> {
  Condition(path.key, "!=", .null)
}
