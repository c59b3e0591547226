/// Finds the ends of values in JSON text that a ``JSONWriter`` has written, without a tape.
///
/// Such text is compact and has no duplicate keys, and is not checked again. Attributes with JSON
/// hold it, in records and in stores. All positions stay within the text, whatever it is.
enum WrittenText {
  /// The length up to which the writer spells each number that a text can have as the text does.
  private static let longestPlainNumber = 16

  /// Returns the end of the value at `start`, in text that ends at `limit`.
  ///
  /// - Parameter isRespelled: Is set to true if the writer may spell one of the value's numbers in
  ///   another way, when it reads the text.
  /// Complexity: O(bytes), sixteen at a time in strings.
  static func end(
    ofValue start: UnsafePointer<UInt8>, limit: UnsafePointer<UInt8>, isRespelled: inout Bool
  ) -> UnsafePointer<UInt8> {
    var cursor = start
    var depth = 0
    while cursor < limit {
      switch cursor.pointee {
      case Byte.quote: cursor = end(ofString: cursor, limit: limit)
      case Byte.comma, Byte.colon: cursor += 1
      case Byte.openBrace, Byte.openBracket:
        depth &+= 1
        cursor += 1
        continue
      case Byte.closeBrace, Byte.closeBracket:
        depth &-= 1
        cursor += 1
      case Byte.minus, Byte.zero...Byte.nine:
        let number = cursor
        cursor = end(ofScalar: cursor, limit: limit)
        if cursor - number > longestPlainNumber, isUncertain(number, end: cursor) {
          isRespelled = true
        }
      default: cursor = end(ofScalar: cursor, limit: limit)
      }
      if depth <= 0 { return cursor }
    }
    return limit
  }

  /// Returns the end of the string at `start`.
  @inline(__always)
  static func end(
    ofString start: UnsafePointer<UInt8>, limit: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8> {
    var cursor = start + 1
    var isBeyond: Int32 = 0
    while limit - cursor >= ByteRuns.width {
      let run = ByteRuns.string(cursor, isBeyond: &isBeyond)
      if run == ByteRuns.width {
        cursor += ByteRuns.width
        continue
      }
      cursor += run
      if cursor.pointee == Byte.quote { return cursor + 1 }
      cursor += cursor.pointee == Byte.backslash ? 2 : 1
    }
    while cursor < limit {
      let byte = cursor.pointee
      if byte == Byte.quote { return cursor + 1 }
      cursor += byte == Byte.backslash ? 2 : 1
    }
    return limit
  }

  /// Returns the end of the number or literal at `start`.
  @inline(__always)
  private static func end(
    ofScalar start: UnsafePointer<UInt8>, limit: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8> {
    var cursor = start + 1
    while cursor < limit {
      switch cursor.pointee {
      case Byte.comma, Byte.closeBrace, Byte.closeBracket: return cursor
      default: cursor += 1
      }
    }
    return limit
  }

  /// Returns whether a long number may be another spelling than the writer's.
  ///
  /// Functions of a program can give a whole number that doubles lack, with a point or an exponent.
  /// Between these bounds a double has the same digits, and may be another number.
  @inline(never)
  private static func isUncertain(
    _ number: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>
  ) -> Bool {
    let text = UnsafeBufferPointer(start: number, count: end - number)
    guard text.contains(where: { $0 == Byte.point || $0 | 0x20 == Byte.e }),
      let value = NumberText.parseDouble(text)
    else { return false }
    return value.magnitude >= 0x1p53 && value.magnitude <= 0x1p63
  }
}
