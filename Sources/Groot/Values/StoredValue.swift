/// A value in the form of records, passed between JSON, records and programs.
///
/// Numbers, dates, booleans and UUIDs are words; text, bytes and JSON are borrowed. Copies do not
/// count references.
package struct StoredValue {
  package var isPresent: Bool
  /// The bits of a number, 0 or 1, days, the high half of a UUID, or the low half of a decimal.
  package var word0: UInt64
  /// The low half of a UUID, or the high half of a decimal.
  package var word1: UInt64
  /// The exponent of a decimal.
  package var word2: UInt64
  package var start: UnsafePointer<UInt8>?
  package var count: Int

  @inline(__always) package static var none: StoredValue {
    StoredValue(isPresent: false, word0: 0, word1: 0, word2: 0, start: nil, count: 0)
  }

  @inline(__always)
  init(
    isPresent: Bool, word0: UInt64, word1: UInt64, word2: UInt64, start: UnsafePointer<UInt8>?,
    count: Int
  ) {
    self.isPresent = isPresent
    self.word0 = word0
    self.word1 = word1
    self.word2 = word2
    self.start = start
    self.count = count
  }

  @inline(__always)
  package init(word: UInt64, _ word1: UInt64 = 0, word2: UInt64 = 0) {
    self.init(isPresent: true, word0: word, word1: word1, word2: word2, start: nil, count: 0)
  }

  @inline(__always)
  package init(bytes: UnsafeBufferPointer<UInt8>) {
    self.init(
      isPresent: true, word0: 0, word1: 0, word2: 0, start: bytes.baseAddress, count: bytes.count)
  }

  @inline(__always)
  package init(_ day: CalendarDay) {
    self.init(word: UInt64(bitPattern: Int64(day.daysSinceEpoch)))
  }

  package init(_ decimal: DecimalNumber) {
    self.init(
      word: UInt64(truncatingIfNeeded: decimal.coefficient),
      UInt64(truncatingIfNeeded: decimal.coefficient >> 64),
      word2: UInt64(bitPattern: Int64(decimal.exponent)))
  }

  @inline(__always) package var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)
  }
  @inline(__always) package var integer: Int64 { Int64(bitPattern: word0) }
  @inline(__always) package var real: Double { Double(bitPattern: word0) }

  @inline(__always) package var day: CalendarDay { CalendarDay(known: integer) }

  package var decimal: DecimalNumber {
    DecimalNumber(
      normalizedCoefficient: Int128(Int64(bitPattern: word1)) << 64 | Int128(word0),
      exponent: Int32(truncatingIfNeeded: Int64(bitPattern: word2)))
  }

  /// Whether its bytes are UTF-8.
  package var isUTF8: Bool { UTF8Text.isValid(bytes) }
}
