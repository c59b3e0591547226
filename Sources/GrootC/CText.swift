import CGroot
import Groot

/// Text for C at a fixed address, followed by a NUL.
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

/// The bound of memory: no process has this many bytes, so this length or count is invalid.
let addressableBytes = 1 << 47

/// The greatest length of a name, a value or a document.
let largestText = Int(UInt32.max)

/// Returns the bytes of a caller's text; measures it for `GROOT_NTS`.
func bytes(
  _ text: UnsafePointer<CChar>?, length: Int, what: String
) throws -> UnsafeRawBufferPointer {
  guard let text else {
    // In C a NULL with length 0 is an empty text.
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

/// Returns the bytes of text that will be copied, after a check of its size.
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

/// Copies a caller's text, which must be UTF-8.
func text(_ text: UnsafePointer<CChar>?, length: Int, what: String) throws -> String {
  guard text != nil else { throw GrootError(.invalidArgument, "\(what) is NULL") }
  let bytes = try copiedBytes(text, length: length, what: what).bindMemory(to: UInt8.self)
  guard UTF8Text.isValid(bytes) else { throw GrootError(.invalidUTF8, "\(what) is not UTF-8") }
  return String(decoding: bytes, as: UTF8.self)
}

/// Copies a caller's name or path, which ends at its first NUL.
func name(_ start: UnsafePointer<CChar>?, what: String) throws -> String {
  try text(start, length: -1, what: what)
}

/// Sets the place of a result to its zero value, and returns it.
func result<Value>(
  _ pointer: UnsafeMutablePointer<Value>?, zero: Value, what: String
) throws -> UnsafeMutablePointer<Value> {
  guard let pointer else {
    throw GrootError(.invalidArgument, "\(what) is NULL: there is no place for the result")
  }
  pointer.pointee = zero
  return pointer
}
