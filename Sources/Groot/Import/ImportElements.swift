/// The elements of an import, one after the other.
final class ImportElements {
  /// Where each element is put.
  let tape: JSONTape
  /// Reads the text; nil when the elements do not come from a text.
  let reader: JSONReader?
  private var values: ValueElements?
  /// The path of the element when it does not come from a text.
  private var valuePath = "$"

  /// The elements of a text.
  init(_ reader: JSONReader) {
    self.reader = reader
    tape = reader.tape
  }

  /// The elements of a value.
  init(_ values: ValueElements, _ memory: MemoryAccount) {
    self.values = values
    reader = nil
    tape = JSONTape(memory)
  }

  /// The element's position in an array, or -1, and whether it is the whole document, when the elements
  /// do not come from a text.
  var index: Int { values?.index ?? -1 }
  var isWholeDocument: Bool { values?.isWholeDocument ?? false }
  /// Where the element on the tape is in the JSON.
  var path: String { reader?.elementPath ?? valuePath }

  /// Puts the next element on the tape; false at the end.
  func next() throws -> Bool {
    if let reader { return try reader.next() }
    guard let path = try values?.next(onto: tape) else { return false }
    valuePath = path
    return true
  }

  /// Where an array is that has no elements, once that was read; nil when there were some, or no array.
  var emptyArrayPath: String? { reader.map(\.emptyArrayPath) ?? values?.emptyArrayPath }

  /// Passes over elements, up to `count` of them or the end of what can be read.
  func skip(_ count: Int) {
    for _ in 0..<count { guard (try? next()) == true else { return } }
  }

  /// The failure of an import of these elements that failed before they were all read.
  ///
  /// Invalid JSON is reported as such, even when an element before the error cannot be imported:
  /// reading at once and piece by piece make no difference.
  func failure(_ error: any Error) -> any Error {
    guard let reader, Self.isOverruledBySyntax(error) else { return error }
    do {
      while try reader.next() {}
    } catch let later as GrootError where later.status == .invalidJSON {
      return later
    } catch {}
    return error
  }

  /// Whether a text with this error and a syntax error after it fails with the latter.
  static func isOverruledBySyntax(_ error: any Error) -> Bool {
    guard let grootError = error as? GrootError else { return false }
    return ![.cancelled, .callbackFailed, .fileError, .limitExceeded, .outOfMemory].contains(
      grootError.status)
  }
}
