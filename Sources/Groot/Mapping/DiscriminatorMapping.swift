/// Which value in JSON chooses the entity of an object.
struct DiscriminatorMapping: Sendable {
  /// The treatment of a value that names no entity.
  enum Unknown: UInt8, CaseIterable, Sendable {
    /// The record is wrong.
    case error
    /// The object is of the entity that was asked for.
    case base
    /// The record is left out.
    case skip
  }

  /// Where the value is.
  let path: JSONKeyPath
  /// The entities that can have objects, by the values that stand for them.
  var values: NameMap<EntityIndex>
  var unknown: Unknown
}

/// Which value in JSON means that an object is to be deleted.
struct TombstoneMapping: Sendable {
  /// Where the value is.
  let path: JSONKeyPath
  /// A scalar.
  let value: JSONValue
}
