/// A reader that checks the JSON text of a column.
///
/// An export copies the text unchanged, but text of other programs may be invalid JSON, or in
/// another form than that of records.
package final class StoredJSON {
  private let tape = JSONTape()

  /// Makes a reader for one column.
  package init() {}

  /// Returns the value in the form of records, valid until the next call; nil for an invalid value.
  package func value(
    _ text: UnsafeBufferPointer<UInt8>, as type: AttributeType
  ) -> StoredValue? {
    tape.reset()
    var value = StoredValue.none
    guard (try? tape.load(text)) != nil,
      Conversion.read(.plain, as: type, on: tape, index: .first, into: &value) == .none
    else { return nil }
    return value
  }
}
