// Writing containers, numbers and literals.

extension JSONWriter {
  /// Begins an array; its elements follow.
  @inline(__always)
  package func beginArray() { rawByte(Byte.openBracket) }

  /// Ends the innermost array.
  @inline(__always)
  package func endArray() { end(Byte.closeBracket) }

  /// Begins an object; its keys and values follow alternately.
  @inline(__always)
  package func beginObject() { rawByte(Byte.openBrace) }

  /// Ends the innermost object.
  @inline(__always)
  package func endObject() { end(Byte.closeBrace) }

  /// Replaces the comma after a value with a newline.
  package func endLine() {
    if cursor > start, cursor[-1] == Byte.comma { cursor[-1] = Byte.newline }
  }

  @inline(__always)
  private func end(_ bracket: UInt8) {
    guard let target = room(2) else { return }
    // An empty container has no comma to remove.
    let last = target - (target > start && target[-1] == Byte.comma ? 1 : 0)
    last[0] = bracket
    last[1] = Byte.comma
    cursor = last + 2
  }

  /// Writes an integer.
  @inline(__always)
  package func integer(_ value: Int64) {
    guard let target = room(NumberText.integerCapacity + 1) else { return }
    let length = NumberText.writeInteger(value, into: target)
    target[length] = Byte.comma
    cursor = target + (length &+ 1)
  }

  /// Writes the shortest text of a real that reads back as the same double.
  ///
  /// JSON has no text for infinities and NaN: for these it writes null and returns false.
  @inline(__always) @discardableResult
  package func real(_ value: Double) -> Bool {
    guard let target = room(NumberText.doubleCapacity + 1) else { return true }
    guard let length = NumberText.writeDouble(value, into: target) else {
      null()
      return false
    }
    target[length] = Byte.comma
    cursor = target + (length &+ 1)
    return true
  }

  /// Writes true or false.
  @inline(__always)
  package func boolean(_ value: Bool) {
    raw(value ? "true," : "false,")
  }

  /// Writes null.
  @inline(__always)
  package func null() { raw("null,") }

  /// Writes a byte unchanged, without a comma.
  @inline(__always)
  package func rawByte(_ byte: UInt8) {
    guard let target = room(1) else { return }
    target.pointee = byte
    cursor = target + 1
  }

  /// Writes bytes unchanged, without a comma, such as a prepared key or a part of a value.
  @inline(__always)
  package func raw(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress, let target = room(bytes.count) else { return }
    target.update(from: source, count: bytes.count)
    cursor = target + bytes.count
  }

  /// Writes the text of one value unchanged.
  @inline(__always)
  package func rawValue(_ bytes: UnsafeBufferPointer<UInt8>) {
    raw(bytes)
    rawByte(Byte.comma)
  }

  @inline(__always)
  private func raw(_ text: StaticString) {
    raw(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Writes a string without escapes; `write` returns the number of its characters.
  @inline(__always)
  package func quoted(capacity: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
    guard let target = room(capacity &+ 3) else { return }
    target.pointee = Byte.quote
    let end = target + (write(target + 1) &+ 1)
    end[0] = Byte.quote
    end[1] = Byte.comma
    cursor = end + 2
  }

  /// Writes the text of a number; `write` returns the number of its characters.
  @inline(__always)
  package func unquoted(capacity: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
    guard let target = room(capacity &+ 1) else { return }
    let end = target + write(target)
    end[0] = Byte.comma
    cursor = end + 1
  }

  /// Writes a number as the key of a member.
  package func key(_ number: Int64) {
    quoted(capacity: NumberText.integerCapacity) {
      NumberText.writeInteger(number, into: $0)
    }
    // Replaces the comma of a value with the colon of a key.
    if cursor > start { cursor[-1] = Byte.colon }
  }

  /// Replaces the last byte, such as the comma after a value.
  func replaceLast(with byte: UInt8) {
    if cursor > start { cursor[-1] = byte }
  }

  /// Whether the last byte opened an object or an array.
  var followsBracket: Bool {
    cursor > start && (cursor[-1] == Byte.openBrace || cursor[-1] == Byte.openBracket)
  }
}
