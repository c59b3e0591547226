/// The kind of a token of a ``JSONTape``.
///
/// The raw values are the low byte of a token's head.
package enum JSONKind: UInt8, Sendable {
  case null = 0
  case `false` = 1
  case `true` = 2
  case integer = 3
  case real = 4
  /// A number that fits neither an Int64 nor a Double.
  case largeNumber = 5
  case string = 6
  case array = 7
  case object = 8
  /// A reference to a container elsewhere on the tape; only in the results of callbacks.
  case alias = 9
}

/// A JSON value or the key of a member on a tape, in 16 bytes.
///
/// `head`: bits 0-7 the kind; bits 8-31 the length of a real's source text; bits 32-63 the size.
///
/// | kind | size | payload |
/// |---|---|---|
/// | null, false, true | 0 | 0 |
/// | integer | 0 | the Int64's bits |
/// | real | offset of its source text in the element, when its length is not 0 | the Double's bits |
/// | large number | length in bytes | address of its text, like a string's |
/// | string, key | length in bytes | address of the UTF-8 bytes: the source text, or the tape's scratch |
/// | array | index after its last token | number of elements |
/// | object | index after its last token | number of members; each is a key token, then its value |
/// | alias | the index after it | index of the array or object |
package struct JSONToken: BitwiseCopyable, Sendable {
  package var head: UInt64
  package var payload: UInt64

  @inline(__always)
  package init(head: UInt64, payload: UInt64) {
    self.head = head
    self.payload = payload
  }

  @inline(__always)
  package init(kind: JSONKind, size: UInt32 = 0, payload: UInt64 = 0) {
    self.head = UInt64(kind.rawValue) | (UInt64(size) &<< 32)
    self.payload = payload
  }

  /// The raw value of the kind, without the check of ``kind``.
  package var rawKind: UInt8 { @inline(__always) get { UInt8(truncatingIfNeeded: head) } }
  package var kind: JSONKind {
    @inline(__always) get { JSONKind(rawValue: rawKind) ?? .null }
  }
  /// Whether the value is an array or an object, which has elements or members.
  var isContainer: Bool {
    @inline(__always) get {
      rawKind == JSONKind.array.rawValue || rawKind == JSONKind.object.rawValue
    }
  }
  package var size: UInt32 {
    @inline(__always) get { UInt32(truncatingIfNeeded: head &>> 32) }
  }
  package var integer: Int64 {
    @inline(__always) get { Int64(bitPattern: payload) }
  }
  package var real: Double {
    @inline(__always) get { Double(bitPattern: payload) }
  }
  /// The length of a real's source text in bytes; 0 if the text is not in memory.
  package var realTextLength: Int {
    @inline(__always) get { Int((head &>> 8) & 0xFF_FFFF) }
  }
  /// The bytes of a string or key, or the text of a large number; invalid for other kinds.
  package var bytes: UnsafeBufferPointer<UInt8> {
    @inline(__always) get {
      UnsafeBufferPointer(
        start: UnsafePointer(bitPattern: UInt(truncatingIfNeeded: payload)), count: Int(size))
    }
  }
  /// Returns the index of the token after the value at `index`.
  @inline(__always)
  package func end(at index: TokenIndex) -> TokenIndex {
    rawKind >= JSONKind.array.rawValue ? TokenIndex(Int(size)) : index.next
  }

  /// Returns the token for a place at a distance from its own: the end of a container moves along.
  @inline(__always)
  func moved(by distance: Int) -> JSONToken {
    guard isContainer else { return self }
    return JSONToken(
      kind: kind, size: UInt32(truncatingIfNeeded: Int(size) &+ distance), payload: payload)
  }
}
