/// The mark of an object that is to be deleted.
final class Tombstone: Sendable {
  private let path: TapePath
  private let value: JSONValue

  init(_ mapping: TombstoneMapping) {
    path = TapePath(mapping.path)
    value = mapping.value
  }

  /// Whether a record says so; a number counts by its value, as `1` and `1.0` are one.
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
