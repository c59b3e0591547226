import CVectors

/// Sixteen bytes of text at a time, by the processor's vector instructions.
///
/// Each function reads the 16 bytes at its address, or 32 for units, and returns the number of bytes
/// before the first that ends the run; 16 or 32 without one. A loop goes on by ``width`` or
/// ``unitsWidth`` then: by the returned number, each load would wait for the one before.
enum ByteRuns {
  /// The number of bytes that are read at once.
  static var width: Int { @inline(__always) get { 16 } }
  /// The number of bytes that are copied as units at once.
  static var unitsWidth: Int { @inline(__always) get { 32 } }

  /// Ends at quotes, backslashes, control characters and bytes beyond ASCII.
  @inline(__always)
  static func plain(_ bytes: UnsafePointer<UInt8>) -> Int { groot_plain_run(bytes) }

  /// Ends at quotes, backslashes and control characters; sets `isBeyond` if a byte of the run is
  /// beyond ASCII.
  @inline(__always)
  static func string(_ bytes: UnsafePointer<UInt8>, isBeyond: inout Int32) -> Int {
    groot_string_run(bytes, &isBeyond)
  }

  /// Copies all 16 bytes; ends at the bytes that a string in JSON escapes.
  @inline(__always)
  static func copy(_ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>) -> Int {
    groot_copy_run(source, target)
  }

  /// Ends at bytes beyond ASCII.
  @inline(__always)
  static func ascii(_ bytes: UnsafePointer<UInt8>) -> Int { groot_ascii_run(bytes) }

  /// Copies 32 bytes; ends at bytes beyond ASCII.
  @inline(__always)
  static func ascii(_ bytes: UnsafePointer<UInt8>, to units: UnsafeMutablePointer<UInt8>) -> Int {
    groot_ascii_units1(bytes, units)
  }

  /// Copies 32 bytes as units of two bytes; ends as for units of one.
  @inline(__always)
  static func ascii(_ bytes: UnsafePointer<UInt8>, to units: UnsafeMutablePointer<UInt16>) -> Int {
    groot_ascii_units2(bytes, units)
  }

  /// Copies 32 bytes as units of four bytes; ends as for units of one.
  @inline(__always)
  static func ascii(_ bytes: UnsafePointer<UInt8>, to units: UnsafeMutablePointer<UInt32>) -> Int {
    groot_ascii_units4(bytes, units)
  }
}

/// The numbers of certain bytes in a text, counted sixteen at a time.
enum ByteCounts {
  /// Returns the number of bytes that equal `byte`.
  @inline(__always)
  static func equal(to byte: UInt8, in bytes: UnsafePointer<UInt8>, count: Int) -> Int {
    groot_count(bytes, count, byte)
  }

  /// Returns the number of characters in valid UTF-8.
  @inline(__always)
  static func characters(in bytes: UnsafePointer<UInt8>, count: Int) -> Int {
    count &- groot_count_continuations(bytes, count)
  }
}
