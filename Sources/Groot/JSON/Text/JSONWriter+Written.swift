// The output so far: read again, removed and replaced.

extension JSONWriter {
  /// Returns the output from `position` on; valid until the next write.
  func bytes(from position: Int) -> UnsafeBufferPointer<UInt8> {
    guard position >= 0, position <= self.position else { return bytes }
    return UnsafeBufferPointer(start: start + position, count: self.position - position)
  }

  /// Removes the output from `position` on.
  func truncate(to position: Int) {
    if position >= 0, position < self.position { cursor = start + position }
  }

  /// Returns whether the output from `position` on is null.
  func isNull(from position: Int) -> Bool {
    guard position >= 0, self.position - position == 5 else { return false }
    return zip(position..<position + 4, "null".utf8).allSatisfy { start[$0] == $1 }
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
