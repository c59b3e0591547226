import Groot

// Imports of a program's own types, which are Encodable.

extension JSONValue {
  /// The JSON that a value is encoded as, in the forms that imports read.
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
  /// Imports what a value is encoded as: one object, or an array of them.
  ///
  /// The keys are those of the JSON that the mapping reads, as in any import.
  ///
  /// - Parameters:
  ///   - content: The value to encode; an object, or an array of objects.
  ///   - entity: The entity; nil for an envelope, which names entities itself.
  ///   - options: How to do it.
  /// - Throws: as ``importJSON(_:into:options:)`` and ``JSONInput/encoded(_:)``.
  @discardableResult
  public func importEncoded(
    _ content: some Encodable, into entity: String?, options: ImportOptions = ImportOptions()
  ) throws(GrootError) -> ImportResult {
    try importJSON(.encoded(content), into: entity, options: options)
  }

  /// Imports what a value is encoded as: one object, or an array of them.
  ///
  /// - Parameters:
  ///   - content: The value to encode; an object, or an array of objects.
  ///   - type: The entity's type.
  ///   - options: How to do it.
  /// - Throws: as for an entity's name.
  @discardableResult
  public func importEncoded<Object: Entity>(
    _ content: some Encodable, as type: Object.Type, options: ImportOptions = ImportOptions()
  ) throws(GrootError) -> ImportedObjects<Object> {
    try importJSON(.encoded(content), as: type, options: options)
  }
}
