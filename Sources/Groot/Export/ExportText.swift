/// The text of an export, with the number of its open arrays and objects.
///
/// It may touch the writer and that number, and knows no object. Brackets go through it; values
/// that open nothing may go to the writer directly.
final class ExportText {
  let writer: JSONWriter
  /// The number of open arrays and objects.
  @exclusivity(unchecked) private(set) var depth = 0

  init(_ writer: JSONWriter) { self.writer = writer }

  /// Whether another object may begin: an import reads only so many levels.
  @inline(__always)
  var hasRoom: Bool { depth < JanssonBridge.maxDepth - 32 }

  /// The position of the next byte.
  @inline(__always)
  var position: Int { writer.position }

  // MARK: Brackets

  @inline(__always)
  func beginObject() {
    writer.beginObject()
    depth &+= 1
  }

  @inline(__always)
  func endObject() {
    writer.endObject()
    depth &-= 1
  }

  @inline(__always)
  func beginArray() {
    writer.beginArray()
    depth &+= 1
  }

  @inline(__always)
  func endArray() {
    writer.endArray()
    depth &-= 1
  }

  /// Begins an object, or an array of values without keys.
  @inline(__always)
  func begin(isPositional: Bool) {
    if isPositional { beginArray() } else { beginObject() }
  }

  @inline(__always)
  func end(isPositional: Bool) {
    if isPositional { endArray() } else { endObject() }
  }

  /// Ends a nested object or array.
  ///
  /// If nulls are left out, so are empty ones and nulls at the end of an array.
  func endNested(_ output: PlanPart<OutputOperation>, as kind: JSONKind, omitsNull: Bool) {
    let omits = omitsNull || output.level == 0
    if omits && kind == .array { dropNulls(atMost: Int(output.part)) }
    if omits, writer.followsBracket {
      // The text to remove is the key and the bracket.
      writer.truncate(to: writer.position - 1 - Int(output.keyLength))
      depth &-= 1
      if output.isElement { writer.null() }
    } else {
      end(isPositional: kind == .array)
    }
  }

  /// Removes up to `count` nulls at the end of the current array.
  func dropNulls(atMost count: Int) {
    for _ in 0..<max(count, 0) {
      guard writer.isNull(from: writer.position - 5) else { return }
      writer.truncate(to: writer.position - 5)
    }
  }

  /// Removes the text from a position on, with the brackets of some levels.
  func remove(from position: Int, levels: Int) {
    writer.truncate(to: position)
    depth &-= levels
  }

  /// Removes the text from a position on, at which the number of open levels was `depth`.
  func rewind(to position: Int, depth: Int) {
    writer.truncate(to: position)
    self.depth = depth
  }

  /// Begins an element, around which there are arrays and objects of others.
  func beginElement(depth: Int) { self.depth = depth }

  // MARK: Keys and constants

  @inline(__always)
  func key(_ output: PlanPart<OutputOperation>) {
    writer.padded(output.key, count: Int(output.keyLength))
  }

  func constant(_ output: PlanPart<OutputOperation>) {
    key(output)
    writer.raw(UnsafeBufferPointer(start: output.constant, count: Int(output.constantLength)))
  }
}

extension JSONWriter {
  /// Makes a key of the value after `position`; returns false if the value cannot be a key.
  func makeKey(from position: Int) -> Bool {
    guard position >= 0, self.position - position >= 2, !lacksMemory else { return false }
    switch bytes[position] {
    case Byte.openBrace, Byte.openBracket, UInt8(ascii: "n"): return false
    case Byte.quote: replaceLast(with: Byte.colon)
    default:
      // A number or a truth value is quoted.
      let text = Array(bytes[position..<self.position - 1])
      truncate(to: position)
      text.withUnsafeBufferPointer { value in
        quoted(capacity: value.count) { target in
          if let start = value.baseAddress { target.update(from: start, count: value.count) }
          return value.count
        }
      }
      replaceLast(with: Byte.colon)
    }
    return true
  }
}
