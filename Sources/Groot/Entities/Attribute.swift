/// An attribute of an ``Entity``: its name, the Swift type of its values, and what its model says.
public struct Attribute<Content: AttributeValue>: Sendable {
  /// The reference by which contexts find the attribute.
  public let propertyKey: PropertyKey

  init(_ key: PropertyKey) { propertyKey = key }

  /// Declares an attribute.
  ///
  /// - Parameters:
  ///   - name: Its name in the model.
  ///   - path: The `JSONKeyPath` it is imported from; nil for what the dialect makes of the name.
  ///   - type: Its type in the model; nil for that of `Content`.
  ///   - isOptional: Whether it may be without value; nil for what `Content` says. A required one
  ///     is without value too where an object is not filled yet, so that `String?` is a type for it.
  ///   - transformer: The `JSONTransformerName`.
  ///   - defaultValue: The value of a new object.
  ///   - constraints: The constraints on values.
  ///   - isTransient: Whether a store does not keep it.
  ///   - elements: The attributes in a composite one.
  ///   - renamingIdentifier: The name in the version before.
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
