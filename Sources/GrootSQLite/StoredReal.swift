import CSQLite

/// Reals in a column of the type REAL, in which SQLite would make 0.0 of -0.0.
///
/// The number next to -0.0 stands for it, and a blob of eight zeros for that number.
enum StoredReal {
  /// The number next to -0.0.
  static let next = -Double.leastNonzeroMagnitude
  private static let blobSize: Int32 = 8

  /// Whether a column holds a number as it is.
  @inline(__always)
  static func isPlain(_ number: Double) -> Bool {
    // These are the bits of -0.0; those of the number next to it follow.
    number.bitPattern &- 0x8000_0000_0000_0000 > 1
  }

  /// Returns the number that a number in a column means.
  @inline(__always)
  static func meaning(of number: Double) -> Double { number == next ? -0.0 : number }

  /// Returns whether the content of a column means ``next``.
  static func isNext(_ content: OpaquePointer?) -> Bool {
    guard sqlite3_value_type(content) == SQLITE_BLOB,
      sqlite3_value_bytes(content) == blobSize, let bytes = sqlite3_value_blob(content)
    else { return false }
    return bytes.loadUnaligned(as: UInt64.self) == 0
  }

  static func bind(_ number: Double, to statement: OpaquePointer, at index: Int32) {
    if number == next {
      sqlite3_bind_zeroblob(statement, index, blobSize)
    } else {
      sqlite3_bind_double(statement, index, isPlain(number) ? number : next)
    }
  }

  static func give(_ number: Double, to context: OpaquePointer?) {
    if number == next {
      sqlite3_result_zeroblob(context, blobSize)
    } else {
      sqlite3_result_double(context, isPlain(number) ? number : next)
    }
  }
}
