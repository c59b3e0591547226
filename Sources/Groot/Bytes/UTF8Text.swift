/// The check of text in UTF-8 (RFC 3629).
enum UTF8Text {
  /// Returns whether bytes are UTF-8.
  ///
  /// Complexity: O(count), sixteen bytes at a time in ASCII.
  static func isValid(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
    validCount(bytes, count: count, limit: bytes + count) == count
  }

  /// Returns whether bytes are UTF-8, where those up to `limit` may be read.
  static func isValid(
    _ bytes: UnsafePointer<UInt8>, count: Int, limit: UnsafePointer<UInt8>
  ) -> Bool {
    validCount(bytes, count: count, limit: limit) == count
  }

  /// Returns whether bytes are UTF-8 as far as they go: the last sequence may be cut.
  static func isBegun(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
    let valid = validCount(bytes, count: count, limit: bytes + count)
    return valid == count || Byte.sequenceLength(bytes + valid, end: bytes + count) < 0
  }

  /// Returns the number of bytes before the first malformed or incomplete sequence.
  @inline(__always)
  private static func validCount(
    _ bytes: UnsafePointer<UInt8>, count: Int, limit: UnsafePointer<UInt8>
  ) -> Int {
    let end = bytes + count
    var cursor = bytes
    while cursor < end {
      if limit - cursor >= ByteRuns.width {
        cursor += ByteRuns.ascii(cursor)
        if cursor >= end { return count }
      }
      if cursor.pointee < 0x80 {
        cursor += 1
        continue
      }
      // Sequences often follow each other, as in scripts other than Latin.
      repeat {
        let length = Byte.sequenceLength(cursor, end: end)
        if length <= 0 { return cursor - bytes }
        cursor += length
      } while cursor < end && cursor.pointee >= 0x80
    }
    return count
  }
}
