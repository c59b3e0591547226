import CGroot
import Groot

/// Text for C that stays where it is: bytes with a NUL after them.
struct CText {
  let start: UnsafeMutablePointer<CChar>
  let size: Int

  init(_ text: String) {
    var text = text
    (start, size) = text.withUTF8 { bytes in
      let start = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
      for (index, byte) in bytes.enumerated() {
        (start + index).initialize(to: CChar(bitPattern: byte))
      }
      (start + bytes.count).initialize(to: 0)
      return (start, bytes.count)
    }
  }

  func deallocate() { start.deallocate() }

  var string: groot_string { groot_string(data: UnsafePointer(start), size: size) }
}

/// More bytes than any process has; a greater length or count is invalid.
let addressableBytes = 1 << 47

/// The greatest length of a name, a value or a document.
let largestText = Int(UInt32.max)

/// The bytes of text that a caller handed over; `GROOT_NTS` is measured.
func bytes(
  _ text: UnsafePointer<CChar>?, length: Int, what: String
) throws -> UnsafeRawBufferPointer {
  guard let text else {
    // C counts an empty text without address as text.
    if length == 0 { return UnsafeRawBufferPointer(start: nil, count: 0) }
    throw GrootError(.invalidArgument, "\(what) is NULL")
  }
  var count = length
  if length == -1 {
    count = 0
    while text[count] != 0 { count += 1 }
  }
  guard count >= 0, count < addressableBytes else {
    throw GrootError(.invalidArgument, "\(what) is longer than memory can be")
  }
  return UnsafeRawBufferPointer(start: text, count: count)
}

/// The same for what is copied whole, whose size is checked before there is room for it.
func copiedBytes(
  _ text: UnsafePointer<CChar>?, length: Int, what: String
) throws -> UnsafeRawBufferPointer {
  let bytes = try bytes(text, length: length, what: what)
  guard bytes.count <= largestText else {
    throw GrootError(
      .limitExceeded, "\(what) has \(bytes.count) bytes; it may have \(largestText)")
  }
  return bytes
}

/// Text that a caller handed over, which must be UTF-8.
func text(_ text: UnsafePointer<CChar>?, length: Int, what: String) throws -> String {
  guard text != nil else { throw GrootError(.invalidArgument, "\(what) is NULL") }
  guard
    let string = String(
      validating: try copiedBytes(text, length: length, what: what), as: UTF8.self)
  else {
    throw GrootError(.invalidUTF8, "\(what) is not UTF-8")
  }
  return string
}

/// A name or a path that a caller handed over, which ends at its first NUL.
func name(_ start: UnsafePointer<CChar>?, what: String) throws -> String {
  try text(start, length: -1, what: what)
}

/// Where a result goes, set to its zero value first.
func result<Value>(
  _ pointer: UnsafeMutablePointer<Value>?, zero: Value, what: String
) throws -> UnsafeMutablePointer<Value> {
  guard let pointer else {
    throw GrootError(.invalidArgument, "\(what) is NULL: there is no place for the result")
  }
  pointer.pointee = zero
  return pointer
}
