/// One piece of the writing of an object.
struct OutputOperation {
  enum Kind: UInt8 {
    /// A property's value.
    case value
    /// A value of the object that led here.
    case ownersValue
    /// A value that members have, and their owner has not.
    case membersValue
    /// A nested object begins.
    case open
    /// It ends.
    case close
    /// A position in an array that nothing is for.
    case gap
    /// A nested array begins.
    case openArray
    /// It ends.
    case closeArray
    /// Unmapped keys, beside the outputs of the object.
    case rest
    /// The same for the element of an array, and for its elements from one on.
    case restElement
    case restTail
    /// A value that all objects of the entity have.
    case constant
    /// The value that stands for the entity of the object that a to-one leads to.
    case kind
  }

  let kind: Kind
  /// Whether members are written in an object with the keys `0`, `1` and so on.
  let isIndexed: Bool
  /// Whether the key is a path.
  let isFlat: Bool
  /// Which element of what a reverse function gives is written; -1 is all of it.
  ///
  /// Of the end of an array, it is the number of its elements.
  let part: Int16
  let step: Int32
  /// Which of the merging to-ones it is, or -1, and how many outputs follow that are merged with
  /// it.
  let merge: Int32
  let mergedCount: Int32
  /// The key in quotes with its colon, ready to be copied.
  let key: UnsafePointer<UInt8>
  let keyLength: Int32
  /// The JSON of a constant with its comma.
  let constant: UnsafePointer<UInt8>
  let constantLength: Int32
  /// Each member of a list is written in objects with these keys, in ``Plan/wraps``.
  let firstWrap: Int32
  let wrapCount: Int32
  /// Whether it is left out where it is the key of a keyed collection.
  let isKey: Bool
  /// Of the rest, which part, in ``Plan/restLevels``; of members' values, which in
  /// ``Plan/memberValues``; of an end, 0 when the object is left out without content.
  let level: Int32
  /// Where it is in the whole object, in ``Plan/restPaths``; -1 where the entity has no `@rest`.
  let restPath: Int32

  /// Whether it is an element of an array, where nothing may be left out.
  var isElement: Bool { @inline(__always) get { keyLength == 0 } }
}

/// A key in quotes with its colon.
struct OutputKey {
  let start: UnsafePointer<UInt8>
  let length: Int32

  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: Int(length)) }
}
