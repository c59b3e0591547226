/// An attribute of an ``Entity``: its name, the Swift type of its values, and its description in
/// the model.
public struct Attribute<Content: AttributeValue>: Sendable {
  /// The key by which contexts find the attribute.
  public let propertyKey: PropertyKey

  init(_ key: PropertyKey) { propertyKey = key }

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
