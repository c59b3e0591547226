// Attribute values as JSON, in the form that an import with the same conversion reads.

extension JSONWriter {
  /// Writes a value in the form that an import with the same conversion reads.
  @inline(__always)
  func write(_ value: StoredValue, conversion: Conversion, as type: AttributeType) {
    guard value.isPresent else {
      null()
      return
    }
    switch conversion {
    case .integerText where type.isInteger:
      quoted(capacity: NumberText.integerCapacity) {
        NumberText.writeInteger(value.integer, into: $0)
      }
    case .booleanText:
      string(value.word0 != 0 ? "true" : "false")
    case .integerText, .doubleText, .decimalText:
      writeNumberText(value, conversion: conversion, as: type)
    case .booleanInteger: integer(value.integer)
    case .unixMilliseconds:
      integer(Self.floorDivide(value.integer, divisor: 1_000))
    case .unixSeconds:
      if value.integer % 1_000_000 == 0 {
        integer(value.integer / 1_000_000)
      } else {
        real(Double(value.integer) / 1_000_000)
      }
    case .anyDate: DateForm.iso8601.write(Timestamp(microseconds: value.integer), writer: self)
    case .uppercaseUUID:
      let uuid = UUIDValue(high: value.word0, low: value.word1)
      quoted(capacity: UUIDValue.textCapacity) { target in
        let count = uuid.write(into: target)
        for index in 0..<count where target[index] >= 0x61 { target[index] -= 0x20 }
        return count
      }
    case .jsonBytes: writeJSONBytes(value.bytes)
    case .jsonContainer: rawValue(value.bytes)
    case .plain, .anyDay, .lowercase, .uppercase, .trim, .function, .dateForms:
      writePlain(value, as: type)
    }
  }

  /// Writes JSON bytes unchanged; other bytes, which only a program can set, become base64.
  private func writeJSONBytes(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) {
    if let text = String(validating: bytes, as: UTF8.self),
      let value = try? JSONValue(parsing: text)
    {
      var json = value.description
      json.withUTF8 { rawValue($0) }
    } else {
      quoted(capacity: Base64.encodedLength(bytes.count)) {
        Base64.encode(bytes, into: $0)
      }
    }
  }

  private static func floorDivide(_ value: Int64, divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
  }

  @inline(__always)
  private func writePlain(_ value: StoredValue, as type: AttributeType) {
    switch type {
    case .string, .uri: string(value.bytes)
    case .integer16, .integer32, .integer64: integer(value.integer)
    case .double: real(value.real)
    case .boolean: boolean(value.word0 != 0)
    case .float: real(Self.shortened(value.real))
    case .transformable, .composite: rawValue(value.bytes)
    case .date, .day, .uuid, .decimal, .binary: writeRare(value, as: type)
    }
  }

  /// Returns the double with the fewest digits that converts to the same binary32 number.
  private static func shortened(_ value: Double) -> Double {
    Double(Float(value).description) ?? value
  }

  private func writeNumberText(
    _ value: StoredValue, conversion: Conversion, as type: AttributeType
  ) {
    if type == .decimal {
      let decimal = value.decimal
      quoted(capacity: DecimalNumber.textCapacity) { decimal.write(into: $0) }
    } else if conversion == .integerText, let whole = Int64(exactly: value.real) {
      quoted(capacity: NumberText.integerCapacity) {
        NumberText.writeInteger(whole, into: $0)
      }
    } else {
      let number = type == .float ? Self.shortened(value.real) : value.real
      quoted(capacity: NumberText.doubleCapacity) {
        NumberText.writeDouble(number, into: $0) ?? 0
      }
    }
  }

  private func writeRare(
    _ value: StoredValue, as type: AttributeType
  ) {
    switch type {
    case .decimal:
      let decimal = value.decimal
      if decimal.exponent > 250 && decimal.double.isInfinite
        || isReadAsDoubles && decimal.isRoundedByDouble
      {
        // JSON readers reject the first kind, and the reader of this text would round the second.
        quoted(capacity: DecimalNumber.textCapacity) { decimal.write(into: $0) }
        return
      }
      unquoted(capacity: DecimalNumber.textCapacity + 2) { target in
        let count = decimal.write(into: target)
        let digits = UnsafeBufferPointer(start: target, count: count)
        // jansson reads whole numbers beyond Int64 only as reals.
        guard decimal.int64 == nil, digits.allSatisfy({ $0 >= 0x2D && $0 <= 0x39 && $0 != 0x2E })
        else { return count }
        target[count] = UInt8(ascii: ".")
        target[count + 1] = UInt8(ascii: "0")
        return count + 2
      }
    case .date:
      let date = Timestamp(microseconds: value.integer)
      quoted(capacity: Timestamp.textCapacity) { date.write(into: $0) }
    case .day:
      let day = value.day
      quoted(capacity: CalendarDay.textCapacity) { day.write(into: $0) }
    case .uuid:
      let uuid = UUIDValue(high: value.word0, low: value.word1)
      quoted(capacity: UUIDValue.textCapacity) { uuid.write(into: $0) }
    default:
      let bytes = value.bytes
      quoted(capacity: Base64.encodedLength(bytes.count)) {
        Base64.encode(bytes, into: $0)
      }
    }
  }
}
