#if Entities

/// An attribute of an ``Entity``: its name, the Swift type of its values, and its description in
/// the model.
public struct Attribute<Content: AttributeValue>: TypedAttribute {
  /// The key by which contexts find the attribute.
  public let propertyKey: PropertyKey

  /// Makes the attribute that a context finds by a key.
  public init(propertyKey: PropertyKey) { self.propertyKey = propertyKey }

  /// Declares an attribute.
  ///
  /// - Parameters:
  ///   - name: Its name in the model.
  ///   - path: The `JSONKeyPath`; nil for the dialect's default.
  ///   - type: Its type in the model; nil for the default of `Content`.
  ///   - isOptional: Whether it may have no value; nil for the default of `Content`. A required
  ///     attribute has no value in an object that is not filled yet, so its type may be optional,
  ///     such as `String?`.
  ///   - transformer: The `JSONTransformerName`.
  ///   - defaultValue: The value of a new object.
  ///   - constraints: The constraints on values.
  ///   - isTransient: Whether a store omits the attribute.
  ///   - elements: The parts of a composite attribute.
  ///   - renamingIdentifier: The name in an earlier version of the model.
  ///   - annotations: Other annotations.
  public init(
    _ name: String, path: String? = nil, type: AttributeType? = nil, isOptional: Bool? = nil,
    transformer: String? = nil, default defaultValue: Content? = nil,
    constraints: AttributeDescription.Constraints = AttributeDescription.Constraints(),
    isTransient: Bool = false, elements: [AttributeDescription] = [],
    renamingIdentifier: String? = nil, annotations: NameMap<String> = [:]
  ) {
    var annotations = annotations
    if let path { annotations["JSONKeyPath"] = path }
    if let transformer { annotations["JSONTransformerName"] = transformer }
    propertyKey = PropertyKey(
      .attribute(
        AttributeDescription(
          name, type ?? Content.attributeType, isOptional: isOptional ?? Content.isOptional,
          defaultValue: defaultValue?.attributeValue ?? .null, constraints: constraints,
          isTransient: isTransient, elements: elements, renamingIdentifier: renamingIdentifier,
          userInfo: annotations)))
  }
}

extension Attribute {
  /// Returns the value; ``AttributeValue/absent`` for one that is missing or does not fit.
  @inlinable
  public func content(of object: ManagedObject) -> Content {
    do {
      let value = try object.context.value(.key(propertyKey), of: object.id)
      if let content = Content(attributeValue: value) { return content }
      object.context.note(unsuitable(value, of: object))
    } catch {
      object.context.note(error, in: .read, of: propertyKey)
    }
    return .absent
  }

  /// Sets the value.
  @inlinable
  public func set(_ content: Content, of object: ManagedObject) {
    do {
      try object.context.setValue(content.attributeValue, for: .key(propertyKey), of: object.id)
    } catch {
      object.context.note(error, in: .write, of: propertyKey)
    }
  }

  @usableFromInline @inline(never)
  func unsuitable(_ value: Value, of object: ManagedObject) -> GrootError {
    let found = value.isNull ? "no value" : "\(value.kindName), \(value.json)"
    return GrootError(
      value.isNull ? .missingValue : .wrongType,
      "the attribute has \(found), where the type of the property, \(Content.self), has no room "
        + "for it", entity: (try? object.context.entity(of: object.id).name) ?? "",
      property: propertyKey.name)
  }
}

#endif
