// Reading attribute values from JSON. Nothing is rounded or cut silently.

extension Conversion {
  /// Converts the value at `index` of a tape to an attribute of `type`; it must not be null.
  ///
  /// Text in the result points into the tape's source or scratch.
  @inline(__always)
  static func read(
    _ conversion: Conversion, as type: AttributeType, on tape: JSONTape, index: TokenIndex,
    into result: inout StoredValue
  ) -> ConversionFailure {
    let token = tape.tokens[index]
    if conversion == .plain {
      switch type {
      case .string:
        guard token.rawKind == JSONKind.string.rawValue else { return .type }
        result = StoredValue(bytes: token.bytes)
        return .none
      case .integer64 where token.rawKind == JSONKind.integer.rawValue:
        result = StoredValue(word: token.payload)
        return .none
      case .double where token.rawKind == JSONKind.real.rawValue:
        result = StoredValue(word: token.payload)
        return .none
      default: return readPlain(type, on: tape, index: index, into: &result)
      }
    }
    if conversion == .integerText && type == .integer64 {
      guard token.rawKind == JSONKind.string.rawValue else { return .type }
      guard let number = NumberText.parseInteger(token.bytes) else {
        return conversionFailure(ofInteger: token.bytes)
      }
      result = StoredValue(word: UInt64(bitPattern: number))
      return .none
    }
    return readSpecial(conversion, as: type, on: tape, index: index, into: &result)
  }

  /// Returns the reason why text is not an Int64: it may be a whole number that is too large.
  @inline(never)
  private static func conversionFailure(ofInteger bytes: UnsafeBufferPointer<UInt8>)
    -> ConversionFailure
  {
    let digits = bytes.drop { $0 == Byte.minus || $0 == Byte.plus }
    let isNumber =
      !digits.isEmpty && bytes.count - digits.count <= 1 && digits.allSatisfy(Byte.isDigit)
    return isNumber ? .range : .form
  }

  private static func readPlain(
    _ type: AttributeType, on tape: JSONTape, index: TokenIndex, into result: inout StoredValue
  ) -> ConversionFailure {
    let token = tape.tokens[index]
    switch type {
    case .integer16, .integer32, .integer64:
      return readInteger(token, on: tape, as: type, into: &result)
    case .double, .float: return readReal(token, as: type, into: &result)
    case .boolean:
      guard token.kind == .true || token.kind == .false else { return .type }
      result = StoredValue(word: token.kind == .true ? 1 : 0)
      return .none
    case .decimal: return readDecimal(tape, token: token, into: &result)
    case .transformable, .composite:
      guard type == .transformable || token.kind == .object else { return .type }
      return readJSON(tape, index: index, into: &result)
    case .string, .uri, .date, .day, .uuid, .binary:
      guard token.kind == .string else { return .type }
      return readText(token.bytes, as: type, on: tape, into: &result)
    }
  }

  private static func readJSON(
    _ tape: JSONTape, index: TokenIndex, into result: inout StoredValue
  ) -> ConversionFailure {
    var levels = 0
    guard let text = JSONWriter.canonical(tape, index: index, levels: &levels) else {
      return .memory
    }
    guard levels <= Value.maximumLevels else { return .depth }
    result = StoredValue(bytes: text)
    return .none
  }

  private static func readInteger(
    _ token: JSONToken, on tape: JSONTape, as type: AttributeType, into result: inout StoredValue
  ) -> ConversionFailure {
    if token.kind == .integer { return fit(token.integer, as: type, into: &result) }
    // 3.0 is the whole number 3; 3.5 is not a whole number.
    guard let part = wholePart(of: token, on: tape), !part.hasFraction else { return .type }
    guard let number = part.integer else { return .range }
    return fit(number, as: type, into: &result)
  }

  /// Returns a number without its fraction; nil for a value of another kind.
  ///
  /// It uses the digits of the number's text, or the double of a real without text, as in a json_t.
  static func wholePart(of token: JSONToken, on tape: JSONTape) -> WholePart? {
    switch token.kind {
    case .integer: WholePart(token.integer)
    case .real: tape.sourceText(of: token).flatMap { WholePart($0) } ?? WholePart(token.real)
    case .largeNumber: WholePart(token.bytes)
    default: nil
    }
  }

  private static func fit(_ number: Int64, as type: AttributeType, into result: inout StoredValue)
    -> ConversionFailure
  {
    if type != .integer64, let range = type.integerRange, !range.contains(number) { return .range }
    result = StoredValue(word: UInt64(bitPattern: number))
    return .none
  }

  private static func readReal(
    _ token: JSONToken, as type: AttributeType, into result: inout StoredValue
  ) -> ConversionFailure {
    var number: Double
    switch token.kind {
    case .real: number = token.real
    case .integer:
      guard let exact = Double(exactly: token.integer),
        type == .double || Float(exactly: token.integer) != nil
      else { return .range }
      number = exact
    case .largeNumber:
      guard let nearest = NumberText.parseDouble(token.bytes) else { return .range }
      number = nearest
    default: return .type
    }
    return fit(&number, as: type, into: &result)
  }

  private static func fit(
    _ number: inout Double, as type: AttributeType, into result: inout StoredValue
  ) -> ConversionFailure {
    if type == .float {
      let rounded = Float(number)
      guard rounded.isFinite else { return .range }
      number = Double(rounded)
    }
    guard number.isFinite else { return .range }
    result = StoredValue(word: number.bitPattern)
    return .none
  }

  private static func readDecimal(
    _ tape: JSONTape, token: JSONToken, into result: inout StoredValue
  ) -> ConversionFailure {
    var decimal: DecimalNumber?
    switch token.kind {
    case .integer: decimal = DecimalNumber(token.integer)
    case .real:
      // The number's text has digits that the double has lost.
      decimal =
        tape.sourceText(of: token).flatMap { DecimalNumber(text: $0) }
        ?? DecimalNumber(shortest: token.real)
    case .largeNumber: decimal = DecimalNumber(text: token.bytes)
    case .string:
      decimal = DecimalNumber(text: token.bytes)
      if decimal == nil { return .form }
    default: return .type
    }
    guard let decimal else { return .range }
    result = StoredValue(decimal)
    return .none
  }

  private static func readText(
    _ bytes: UnsafeBufferPointer<UInt8>, as type: AttributeType, on tape: JSONTape,
    into result: inout StoredValue
  ) -> ConversionFailure {
    switch type {
    case .date:
      guard let date = Timestamp(iso8601: bytes) else { return .form }
      result = StoredValue(word: UInt64(bitPattern: date.microseconds))
    case .day:
      guard let day = CalendarDay(iso8601: bytes) else { return .form }
      result = StoredValue(day)
    case .uuid:
      guard let uuid = UUIDValue(text: bytes) else { return .form }
      result = StoredValue(word: uuid.high, uuid.low)
    case .binary:
      guard let scratch = tape.scratch(Base64.decodedCapacity(bytes.count)) else { return .memory }
      guard let count = Base64.decode(bytes, into: scratch) else { return .form }
      result = StoredValue(bytes: UnsafeBufferPointer(start: scratch, count: count))
    default: result = StoredValue(bytes: bytes)
    }
    return .none
  }

  private static func readSpecial(
    _ conversion: Conversion, as type: AttributeType, on tape: JSONTape, index: TokenIndex,
    into result: inout StoredValue
  ) -> ConversionFailure {
    let token = tape.tokens[index]
    switch conversion {
    case .plain, .function, .dateForms:
      return readPlain(type, on: tape, index: index, into: &result)
    case .booleanInteger:
      if token.kind == .largeNumber { return .range }
      guard token.kind == .integer else { return .type }
      guard token.integer == 0 || token.integer == 1 else { return .range }
      result = StoredValue(word: UInt64(bitPattern: token.integer))
      return .none
    case .unixSeconds, .unixMilliseconds:
      return readUnix(token, conversion: conversion, into: &result)
    case .anyDate: return readAnyDate(token, into: &result)
    case .anyDay: return readAnyDay(token, into: &result)
    case .uppercaseUUID: return readPlain(.uuid, on: tape, index: index, into: &result)
    case .jsonBytes, .jsonContainer:
      guard conversion == .jsonBytes || token.kind == .array || token.kind == .object else {
        return .type
      }
      return readJSON(tape, index: index, into: &result)
    default:
      guard token.kind == .string else { return .type }
      return readSpecialText(token.bytes, conversion, as: type, on: tape, into: &result)
    }
  }

  private static func readSpecialText(
    _ bytes: UnsafeBufferPointer<UInt8>, _ conversion: Conversion, as type: AttributeType,
    on tape: JSONTape, into result: inout StoredValue
  ) -> ConversionFailure {
    switch conversion {
    case .integerText:
      guard let number = NumberText.parseInteger(bytes) else {
        return conversionFailure(ofInteger: bytes)
      }
      if type.isInteger { return fit(number, as: type, into: &result) }
      if type == .decimal {
        result = StoredValue(DecimalNumber(number))
        return .none
      }
      guard var real = Double(exactly: number) else { return .range }
      return fit(&real, as: type, into: &result)
    case .doubleText:
      guard var number = NumberText.parseDouble(bytes) else { return .form }
      return fit(&number, as: type, into: &result)
    case .decimalText:
      guard let decimal = DecimalNumber(text: bytes) else { return .form }
      result = StoredValue(decimal)
    case .booleanText:
      let isTrue = bytes.elementsEqual("true".utf8)
      guard isTrue || bytes.elementsEqual("false".utf8) else { return .form }
      result = StoredValue(word: isTrue ? 1 : 0)
    case .lowercase, .uppercase:
      guard let copy = tape.scratch(bytes.count) else { return .memory }
      let first: UInt8 = conversion == .lowercase ? 0x41 : 0x61
      for (position, byte) in bytes.enumerated() {
        copy[position] = byte &- first < 26 ? byte ^ 0x20 : byte
      }
      result = StoredValue(bytes: UnsafeBufferPointer(start: copy, count: bytes.count))
    default:
      var (start, end) = (0, bytes.count)
      while start < end, bytes[start] <= 0x20 { start += 1 }
      while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
      result = StoredValue(bytes: UnsafeBufferPointer(rebasing: bytes[start..<end]))
    }
    return .none
  }
}
