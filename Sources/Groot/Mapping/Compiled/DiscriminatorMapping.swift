/// The value in JSON that chooses the entity of an object.
struct DiscriminatorMapping: Sendable {
  /// The treatment of a value without an entity.
  enum Unknown: UInt8, CaseIterable, Sendable {
    /// The record is invalid.
    case error
    /// The object is of the entity that is imported.
    case base
    /// The record is skipped.
    case skip
  }

  let path: JSONKeyPath
  /// The concrete entities, by their values.
  var values: NameMap<EntityIndex>
  var unknown: Unknown
}

/// The value in JSON that marks the deletion of an object.
struct TombstoneMapping: Sendable {
  let path: JSONKeyPath
  /// The mark; always a scalar.
  let value: JSONValue
}
