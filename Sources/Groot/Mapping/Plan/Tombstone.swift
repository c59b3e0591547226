/// The mark of a deletion in a record.
final class Tombstone: Sendable {
  private let path: TapeSteps
  private let value: JSONValue

  init(_ mapping: TombstoneMapping) {
    path = TapeSteps(mapping.path)
    value = mapping.value
  }

  /// Returns whether a record has the mark; numbers are compared by value, so `1` equals `1.0`.
  func marks(_ record: TokenIndex, on tape: JSONTape) -> Bool {
    guard let found = path.value(from: record, on: tape) else { return false }
    switch tape.tokens[found].kind {
    case .array, .object, .alias: return false
    case .integer, .real:
      let number = JSONValue(tape, index: found)
      return number == value || number.realValue != nil && number.realValue == value.realValue
    default: return JSONValue(tape, index: found) == value
    }
  }
}
