// Reading values in other forms: numbers as text, truth values as numbers or words.

extension Conversion {
  /// Converts a value that the plain conversion rejects.
  ///
  /// The whole text must be a number, except for white space around it.
  ///
  /// - Parameter cutsFractions: Whether fractions are cut to whole numbers, and dates with a time
  ///   to days; otherwise they do not fit.
  static func readCoercing(
    _ type: AttributeType, on tape: JSONTape, index: TokenIndex, into result: inout StoredValue,
    cutsFractions: Bool
  ) -> ConversionFailure {
    let token = tape.tokens[index]
    switch token.kind {
    case .null, .array, .object, .alias: return .type
    case .true, .false: return readTruth(token.kind == .true, as: type, into: &result)
    case .string:
      return readText(token.bytes, as: type, on: tape, into: &result, cutsFractions: cutsFractions)
    case .largeNumber:
      return readLargeNumber(
        type, on: tape, index: index, into: &result, cutsFractions: cutsFractions)
    case .integer, .real:
      return readNumber(
        token, as: type, on: tape, index: index, into: &result, cutsFractions: cutsFractions)
    }
  }

  private static func readTruth(
    _ truth: Bool, as type: AttributeType, into result: inout StoredValue
  ) -> ConversionFailure {
    switch type {
    case .integer16, .integer32, .integer64, .boolean: result = StoredValue(word: truth ? 1 : 0)
    case .double, .float: result = StoredValue(word: (truth ? 1.0 : 0.0).bitPattern)
    case .decimal: result = StoredValue(DecimalNumber(truth ? 1 : 0))
    case .string:
      let text: StaticString = truth ? "true" : "false"
      result = StoredValue(
        bytes: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    default: return .type
    }
    return .none
  }

  private static func readNumber(
    _ token: JSONToken, as type: AttributeType, on tape: JSONTape, index: TokenIndex,
    into result: inout StoredValue, cutsFractions: Bool
  ) -> ConversionFailure {
    let number = token.kind == .integer ? Double(token.integer) : token.real
    switch type {
    case .integer16, .integer32, .integer64:
      return readWhole(
        wholePart(of: token, on: tape), as: type, into: &result, cutsFractions: cutsFractions)
    case .double: result = StoredValue(word: number.bitPattern)
    case .float:
      guard Float(number).isFinite else { return .range }
      result = StoredValue(word: Double(Float(number)).bitPattern)
    case .boolean:
      let isZero = wholePart(of: token, on: tape)?.isZero ?? false
      result = StoredValue(word: isZero ? 0 : 1)
    case .string:
      guard let text = numberText(tape, index: index) else { return .memory }
      result = StoredValue(bytes: text)
    default: return .type
    }
    return .none
  }

  /// Reads a large number that the plain conversion rejects: it is out of range, has a fraction, or
  /// is for a truth value or text.
  private static func readLargeNumber(
    _ type: AttributeType, on tape: JSONTape, index: TokenIndex, into result: inout StoredValue,
    cutsFractions: Bool
  ) -> ConversionFailure {
    switch type {
    case .integer16, .integer32, .integer64:
      return readWhole(
        wholePart(of: tape.tokens[index], on: tape), as: type, into: &result,
        cutsFractions: cutsFractions)
    case .boolean: result = StoredValue(word: 1)
    case .string:
      guard let text = JSONWriter.canonical(tape, index: index) else { return .memory }
      result = StoredValue(bytes: text)
    case .double, .float, .decimal: return .range
    default: return .type
    }
    return .none
  }

  /// Returns the text of a number, without the `.0` of a whole number; nil without memory.
  private static func numberText(
    _ tape: JSONTape, index: TokenIndex
  ) -> UnsafeBufferPointer<UInt8>? {
    guard let text = JSONWriter.canonical(tape, index: index) else { return nil }
    guard text.count > 2, text[text.count - 1] == UInt8(ascii: "0"),
      text[text.count - 2] == UInt8(ascii: ".")
    else { return text }
    return UnsafeBufferPointer(rebasing: text.dropLast(2))
  }

  private static func readWhole(
    _ part: WholePart?, as type: AttributeType, into result: inout StoredValue, cutsFractions: Bool
  ) -> ConversionFailure {
    guard let part, cutsFractions || !part.hasFraction else { return .form }
    guard let integer = part.integer, type.integerRange?.contains(integer) == true else {
      return .range
    }
    result = StoredValue(word: UInt64(bitPattern: integer))
    return .none
  }

  private static func readText(
    _ text: UnsafeBufferPointer<UInt8>, as type: AttributeType, on tape: JSONTape,
    into result: inout StoredValue, cutsFractions: Bool
  ) -> ConversionFailure {
    let bytes = trimmed(text)
    switch type {
    case .integer16, .integer32, .integer64, .double, .float, .decimal, .boolean: break
    case .day: return readDay(text, cutsTime: cutsFractions, into: &result)
    case .date, .uuid, .binary: return .form
    default: return .type
    }
    if type == .boolean, let truth = truthWord(bytes) {
      result = StoredValue(word: truth ? 1 : 0)
      return .none
    }
    guard let number = looseNumber(bytes, on: tape) else { return .form }
    switch type {
    case .decimal:
      guard let decimal = DecimalNumber(text: number) else { return .range }
      result = StoredValue(decimal)
      return .none
    case .integer16, .integer32, .integer64:
      return readWhole(
        WholePart(number), as: type, into: &result, cutsFractions: cutsFractions)
    case .boolean:
      result = StoredValue(word: WholePart(number)?.isZero == true ? 0 : 1)
      return .none
    default:
      guard let real = NumberText.parseDouble(number) else { return .range }
      guard type == .double || Float(real).isFinite else { return .range }
      result = StoredValue(word: (type == .double ? real : Double(Float(real))).bitPattern)
      return .none
    }
  }

  private static func trimmed(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) -> UnsafeBufferPointer<UInt8> {
    var (start, end) = (0, bytes.count)
    while start < end, bytes[start] <= 0x20 { start += 1 }
    while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
    return UnsafeBufferPointer(rebasing: bytes[start..<end])
  }

  private static func truthWord(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool? {
    switch String(decoding: bytes.prefix(6), as: UTF8.self).lowercased() {
    case "true", "t", "yes", "y", "on": true
    case "false", "f", "no", "n", "off": false
    default: nil
    }
  }

  /// Returns a JSON number from text that may have a plus, leading zeros, or no digits on one side
  /// of the point; nil for other text.
  private static func looseNumber(
    _ bytes: UnsafeBufferPointer<UInt8>, on tape: JSONTape
  ) -> UnsafeBufferPointer<UInt8>? {
    guard let target = tape.scratch(bytes.count + 3) else { return nil }
    var count = 0
    func write(_ byte: UInt8) {
      target[count] = byte
      count += 1
    }
    var index = 0
    if index < bytes.count, bytes[index] == Byte.minus || bytes[index] == Byte.plus {
      if bytes[index] == Byte.minus { write(Byte.minus) }
      index += 1
    }
    let whole = index
    while index < bytes.count, Byte.isDigit(bytes[index]) { index += 1 }
    let fraction = index
    let first = (whole..<fraction).first { bytes[$0] != UInt8(ascii: "0") } ?? fraction
    if first == fraction { write(UInt8(ascii: "0")) }
    for position in first..<fraction { write(bytes[position]) }
    var digits = fraction - whole
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      index += 1
      let start = index
      while index < bytes.count, Byte.isDigit(bytes[index]) { index += 1 }
      digits += index - start
      if index > start {
        write(UInt8(ascii: "."))
        for position in start..<index { write(bytes[position]) }
      }
    }
    guard digits > 0 else { return nil }
    for position in index..<bytes.count { write(bytes[position]) }
    let number = UnsafeBufferPointer(start: UnsafePointer(target), count: count)
    return NumberScan(number) == nil ? nil : number
  }
}
