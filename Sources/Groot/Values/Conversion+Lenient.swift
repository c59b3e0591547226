// Reading values of another JSON type, if nothing is lost.

extension Conversion {
  /// Converts a value that ``read(_:as:on:index:into:)`` rejects: numbers and truth values from
  /// text, truth values from 1 and 0, text from numbers and truth values.
  ///
  /// Dates are read from seconds since 1970, and days from dates at midnight.
  static func readLenient(
    _ type: AttributeType, on tape: JSONTape, index: TokenIndex, into result: inout StoredValue
  ) -> ConversionFailure {
    let token = tape.tokens[index]
    switch (type, token.kind) {
    case (.integer16, .string), (.integer32, .string), (.integer64, .string):
      return read(.integerText, as: type, on: tape, index: index, into: &result)
    case (.double, .string), (.float, .string):
      return read(.doubleText, as: type, on: tape, index: index, into: &result)
    case (.integer16, .true), (.integer32, .true), (.integer64, .true):
      result = StoredValue(word: 1)
    case (.integer16, .false), (.integer32, .false), (.integer64, .false):
      result = StoredValue(word: 0)
    case (.boolean, .integer), (.boolean, .largeNumber):
      return read(.booleanInteger, as: type, on: tape, index: index, into: &result)
    case (.boolean, .string):
      guard let truth = truth(token.bytes) else { return .form }
      result = StoredValue(word: truth ? 1 : 0)
    case (.date, .integer), (.date, .real), (.date, .largeNumber):
      return read(.unixSeconds, as: type, on: tape, index: index, into: &result)
    case (.day, .string):
      return readDay(token.bytes, cutsTime: false, into: &result)
    case (.string, .integer), (.string, .real), (.string, .largeNumber), (.string, .true),
      (.string, .false):
      guard let text = JSONWriter.canonical(tape, index: index) else { return .memory }
      result = StoredValue(bytes: text)
    default: return .type
    }
    return .none
  }

  private static func truth(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool? {
    switch String(decoding: bytes.prefix(6), as: UTF8.self).lowercased() {
    case "true", "yes", "1": true
    case "false", "no", "0": false
    default: nil
    }
  }
}
