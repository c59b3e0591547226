#if Entities

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
  ) -> Condition<Object> where Property: ToOneProperty {
    Condition(path.key, "==", .null)
  }

  /// Returns the condition that a to-one relationship has a member; it can be compared only with
  /// nil.
  public static func != (
    path: EntityPath, none: _OptionalNilComparisonType
  ) -> Condition<Object> where Property: ToOneProperty {
    Condition(path.key, "!=", .null)
  }
}

#endif
