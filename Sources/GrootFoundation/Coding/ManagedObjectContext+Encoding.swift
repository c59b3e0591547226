import Groot

// Imports of a program's Encodable types.

extension JSONValue {
  /// Encodes a value as JSON, in the forms that imports read.
  ///
  /// - Throws: as ``JSONInput/encoded(_:)``.
  public init(
    encoding content: some Encodable, userInfo: [CodingUserInfoKey: Any] = [:]
  ) throws(GrootError) {
    let node = EncodedNode()
    do {
      try NodeEncoder(node, userInfo: userInfo).encode(content)
    } catch {
      throw GrootError(coding: error)
    }
    self = node.json
  }
}

extension ManagedObjectContext {
  /// Imports an encoded value: one object, or an array of objects.
  ///
  /// The keys are the JSON keys of the mapping, as in any import.
  ///
  /// - Parameters:
  ///   - content: The value to encode; an object, or an array of objects.
  ///   - entity: The entity; nil for a document of several entities.
  ///   - options: The options.
  /// - Throws: as ``importJSON(_:into:options:)`` and ``JSONInput/encoded(_:)``.
  @discardableResult
  public func importEncoded(
    _ content: some Encodable, into entity: String?, options: ImportOptions = ImportOptions()
  ) throws(GrootError) -> ImportResult {
    try importJSON(.encoded(content), into: entity, options: options)
  }

  /// Imports an encoded value: one object, or an array of objects.
  ///
  /// - Parameters:
  ///   - content: The value to encode; an object, or an array of objects.
  ///   - type: The entity's type.
  ///   - options: The options.
  /// - Throws: as for an entity's name.
  @discardableResult
  public func importEncoded<Object: Entity>(
    _ content: some Encodable, as type: Object.Type, options: ImportOptions = ImportOptions()
  ) throws(GrootError) -> ImportedObjects<Object> {
    try importJSON(.encoded(content), as: type, options: options)
  }
}
