#if Entities

// Attributes as values of Swift types.

extension ManagedObject {
  /// Returns the value of an attribute as a Swift type; nil without one.
  ///
  /// - Throws: as ``ManagedObjectContext/value(_:of:)``; also ``Status/wrongType`` for a value of
  ///   another type.
  public func value<Content: AttributeValue>(
    _ name: String, as type: Content.Type
  ) throws(GrootError) -> Content? {
    let value = try self[name]
    if value.isNull { return nil }
    guard let content = Content(attributeValue: value) else {
      throw GrootError(
        .wrongType, "the value \(value.json) is \(value.kindName), not \(type)",
        entity: try entityName(), property: name)
    }
    return content
  }

  /// Sets an attribute from a value of a Swift type.
  ///
  /// - Throws: as ``ManagedObjectContext/setValue(_:for:of:)``.
  public func set(_ name: String, to value: some AttributeValue) throws(GrootError) {
    try context.setValue(value.attributeValue, for: .name(name), of: id)
  }
}

#endif
