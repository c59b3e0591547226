/// The form of a number in JSON text.
enum NumberForm {
  case integer
  /// A number with a fraction or an exponent.
  case real
  /// An invalid number: a digit is missing, or follows a leading zero.
  case cut

  /// Reads the number at `text`; returns its form and its end.
  ///
  /// Nil without a number. An invalid number ends where a digit is missing.
  static func read(
    _ text: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>
  ) -> (form: NumberForm, end: UnsafePointer<UInt8>)? {
    var cursor = text
    guard cursor < end else { return nil }
    if cursor.pointee == Byte.minus { cursor += 1 }
    let digits = cursor
    skipDigits(&cursor, end: end)
    let length = cursor - digits
    if length == 0 { return cursor == text ? nil : (.cut, cursor) }
    if length > 1 && digits.pointee == Byte.zero { return (.cut, digits + 1) }
    var form = NumberForm.integer
    if cursor < end, cursor.pointee == Byte.point {
      form = .real
      cursor += 1
      let fraction = cursor
      skipDigits(&cursor, end: end)
      if cursor == fraction { return (.cut, cursor) }
    }
    if cursor < end, cursor.pointee | 0x20 == Byte.e {
      form = .real
      cursor += 1
      if cursor < end, cursor.pointee == Byte.plus || cursor.pointee == Byte.minus { cursor += 1 }
      let exponent = cursor
      skipDigits(&cursor, end: end)
      if cursor == exponent { return (.cut, cursor) }
    }
    return (form, cursor)
  }

  @inline(__always)
  private static func skipDigits(
    _ cursor: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>
  ) {
    while cursor < end, Byte.isDigit(cursor.pointee) { cursor += 1 }
  }
}
