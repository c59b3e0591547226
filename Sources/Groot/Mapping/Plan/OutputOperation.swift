/// One operation in the output of an object.
struct OutputOperation {
  enum Kind: UInt8 {
    /// A property's value.
    case value
    /// A value of the owner.
    case ownersValue
    /// A value that only members have, not their owner.
    case membersValue
    /// The beginning of a nested object.
    case open
    /// The end of a nested object.
    case close
    /// An array position without an output.
    case gap
    /// The beginning of a nested array.
    case openArray
    /// The end of a nested array.
    case closeArray
    /// Unmapped keys, beside the outputs of the object.
    case rest
    /// Unmapped elements of an array: a single one, and all from a position on.
    case restElement
    case restTail
    /// A value that all objects of the entity have.
    case constant
    /// The discriminator of a to-one's object.
    case kind
  }

  let kind: Kind
  /// The way of copying its value, and the treatment of a missing one.
  let direct: DirectOutput
  let missing: MissingOutput
  /// The number of its property, and the byte offset in the record; 0 without a step.
  let number: UInt16
  let offset: UInt32
  /// Whether members are written in an object with the keys `0`, `1` and so on.
  let isIndexed: Bool
  /// Whether the key is a whole path.
  let isFlat: Bool
  /// The position of the written element in the result of a reverse function; -1 for the whole
  /// result.
  ///
  /// At the end of an array, the number of its elements.
  let part: Int16
  let step: Int32
  /// The number of its merge, or -1, and the number of outputs after it that are merged with it.
  let merge: Int32
  let mergedCount: Int32
  /// The key in quotes with its colon, ready to be copied, and with ``Plan/keyPadding`` after it.
  let key: UnsafePointer<UInt8>
  let keyLength: Int32
  /// The JSON of a constant with its comma.
  let constant: UnsafePointer<UInt8>
  let constantLength: Int32
  /// The keys of the objects around each member of a list, in ``Plan/wraps``.
  let firstWrap: Int32
  let wrapCount: Int32
  /// Whether it is omitted if it is already the key in a keyed collection.
  let isKey: Bool
  /// For unmapped keys, the position in ``Plan/restLevels``; for members' values, that in
  /// ``Plan/memberValues``.
  ///
  /// At an end, 0 if the object is omitted when empty.
  let level: Int32
  /// The path in the whole object, in ``Plan/restPaths``; -1 if the entity has no `@rest`.
  let restPath: Int32

  /// Whether it is an element of an array, which cannot be omitted.
  var isElement: Bool { @inline(__always) get { keyLength == 0 } }
}

/// A key in quotes with its colon.
struct OutputKey {
  let start: UnsafePointer<UInt8>
  let length: Int32

  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: Int(length)) }
}
