/// Checks the text of a column that is to be JSON.
///
/// Text that other programs wrote may be invalid JSON, or in another form than that of records: an
/// export puts the text into its own as it is.
package final class StoredJSON {
  private let tape = JSONTape()

  /// Makes a reader for one column.
  package init() {}

  /// The value in the form of records, which is valid until the next call; nil for text that is not
  /// a value of the type.
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
