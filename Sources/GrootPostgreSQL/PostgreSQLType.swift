import CPostgreSQL
import Groot

/// A type of PostgreSQL, with its numbers in the catalog (pg_type), which never change.
enum PostgreSQLType {
  case boolean
  case bytes
  case integer
  case text
  case real
  case numeric
  case instant
  case day
  case uuid

  /// The type of the columns with values of a type.
  init(_ type: AttributeType) {
    self =
      switch type {
      case .integer16, .integer32, .integer64: .integer
      case .boolean: .boolean
      case .double, .float: .real
      case .date: .instant
      case .day: .day
      case .decimal: .numeric
      case .uuid: .uuid
      case .binary: .bytes
      // Text keeps the digits, the order and the duplicate keys of JSON; `jsonb` does not.
      case .string, .uri, .transformable, .composite: .text
      }
  }

  /// The number of the type.
  var number: UInt32 {
    switch self {
    case .boolean: 16
    case .bytes: 17
    case .integer: 20
    case .text: 25
    case .real: 701
    case .numeric: 1700
    case .instant: 1184
    case .day: 1082
    case .uuid: 2950
    }
  }

  /// The number of the type of arrays of it.
  var arrayNumber: UInt32 {
    switch self {
    case .boolean: 1000
    case .bytes: 1001
    case .integer: 1016
    case .text: 1009
    case .real: 1022
    case .numeric: 1231
    case .instant: 1185
    case .day: 1182
    case .uuid: 2951
    }
  }

  /// The name of the type, as the catalog writes it.
  var name: String {
    switch self {
    case .boolean: "boolean"
    case .bytes: "bytea"
    case .integer: "bigint"
    case .text: "text"
    case .real: "double precision"
    case .numeric: "numeric"
    case .instant: "timestamp with time zone"
    case .day: "date"
    case .uuid: "uuid"
    }
  }
}

/// A value that PostgreSQL cannot hold.
enum UnstorableValue: Error {
  /// Text of PostgreSQL has no character of the code 0.
  case textWithNUL
  /// Dates and days of PostgreSQL begin in the year 4713 before ours.
  case beforeCalendar
  /// A value of a gigabyte or more.
  case tooLong

  /// The reason in words.
  var reason: String {
    switch self {
    case .textWithNUL: "the text has a NUL (U+0000) in it, which PostgreSQL cannot hold"
    case .beforeCalendar: "it is before the year -4712, where the calendar of PostgreSQL begins"
    case .tooLong: "it is longer than the gigabyte that PostgreSQL holds"
    }
  }
}

extension PostgreSQLBuffer {
  /// The microseconds, and the days, from 1970 to 2000, where PostgreSQL counts from.
  private static let epoch: Int64 = 946_684_800_000_000
  private static let epochDay: Int64 = 10_957
  /// The first microsecond, and the first day, of PostgreSQL's calendar, from 2000.
  private static let firstInstant: Int64 = -211_813_488_000_000_000
  private static let firstDay: Int64 = -2_451_545
  private static let longest = 0x3FFF_FFFF

  /// The limits of the values that PostgreSQL can hold.
  static let limits = ValueLimits(
    refusesNUL: true, longest: longest - 1, firstInstant: firstInstant + epoch,
    firstDay: firstDay + epochDay)

  /// Returns why PostgreSQL cannot hold a value; nil when it can.
  static func objection(to value: StoredValue, as type: PostgreSQLType) -> UnstorableValue? {
    guard value.isPresent else { return nil }
    switch type {
    case .text:
      if value.count >= longest { return .tooLong }
      guard let start = value.start else { return nil }
      return groot_pq_has_nul(start, value.count) == 0 ? nil : .textWithNUL
    case .bytes: return value.count < longest ? nil : .tooLong
    case .instant:
      let (microseconds, isOver) = value.integer.subtractingReportingOverflow(epoch)
      return isOver || microseconds < firstInstant ? .beforeCalendar : nil
    case .day: return value.integer - epochDay < firstDay ? .beforeCalendar : nil
    case .boolean, .integer, .real, .numeric, .uuid: return nil
    }
  }

  /// Appends a value with its length; -1 stands for a missing one.
  @inline(__always)
  mutating func append(_ value: StoredValue, as type: PostgreSQLType) throws {
    guard value.isPresent else {
      append(Int32(-1))
      return
    }
    if let objection = Self.objection(to: value, as: type) { throw objection }
    switch type {
    case .integer, .real:
      append(Int32(8))
      append(value.word0)
    case .boolean:
      append(Int32(1))
      append(UInt8(truncatingIfNeeded: value.word0 & 1))
    case .text, .bytes:
      append(Int32(truncatingIfNeeded: value.bytes.count))
      append(value.bytes)
    case .instant:
      append(Int32(8))
      append(value.integer - Self.epoch)
    case .day:
      append(Int32(4))
      append(Int32(truncatingIfNeeded: value.integer - Self.epochDay))
    case .numeric: append(value.decimal)
    case .uuid:
      append(Int32(16))
      append(value.word0)
      append(value.word1)
    }
  }

  /// Appends a text with its length.
  mutating func append(text: String) {
    var text = text
    text.withUTF8 {
      append(Int32(truncatingIfNeeded: $0.count))
      append($0)
    }
  }

  /// Appends the beginning of an array of one dimension.
  mutating func beginArray(of type: PostgreSQLType, count: Int) {
    append(Int32(1))
    append(Int32(1))
    append(type.number)
    append(Int32(truncatingIfNeeded: count))
    append(Int32(1))
  }

  /// Reads a value of a result; nil when the content is not a value of the type.
  static func value(
    _ bytes: UnsafeBufferPointer<UInt8>, as type: AttributeType, json: () -> StoredJSON
  ) -> StoredValue? {
    func integer<Number: FixedWidthInteger>(_ offset: Int = 0, as: Number.Type) -> Number? {
      guard let start = UnsafeRawPointer(bytes.baseAddress),
        bytes.count >= offset + MemoryLayout<Number>.size
      else { return nil }
      return Number(bigEndian: start.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
    switch type {
    case .integer16, .integer32, .integer64:
      guard let number = integer(as: Int64.self) else { return nil }
      if type == .integer16, Int16(exactly: number) == nil { return nil }
      if type == .integer32, Int32(exactly: number) == nil { return nil }
      return StoredValue(word: UInt64(bitPattern: number))
    case .boolean: return bytes.first.map { StoredValue(word: $0 == 0 ? 0 : 1) }
    case .double, .float:
      guard let bits = integer(as: UInt64.self) else { return nil }
      let number = Double(bitPattern: bits)
      let held = type == .float ? Double(Float(number)) : number
      return held.isFinite ? StoredValue(word: held.bitPattern) : nil
    case .string, .uri, .binary: return StoredValue(bytes: bytes)
    case .transformable, .composite: return json().value(bytes, as: type)
    case .date:
      guard let number = integer(as: Int64.self) else { return nil }
      let (microseconds, isOver) = number.addingReportingOverflow(epoch)
      return isOver || number == .min ? nil : StoredValue(word: UInt64(bitPattern: microseconds))
    case .day:
      guard let number = integer(as: Int32.self) else { return nil }
      return CalendarDay(daysSinceEpoch: Int64(number) + epochDay).map { StoredValue($0) }
    case .decimal: return DecimalNumber(postgreSQL: bytes).map { StoredValue($0) }
    case .uuid:
      guard let high = integer(as: UInt64.self), let low = integer(8, as: UInt64.self) else {
        return nil
      }
      return StoredValue(word: high, low)
    }
  }
}
