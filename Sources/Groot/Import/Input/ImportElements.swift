/// The elements of an import, in order.
final class ImportElements {
  /// The tape that holds the current element.
  let tape: JSONTape
  /// The reader of the text; nil when the elements do not come from a text.
  let reader: JSONReader?
  /// The same reader, for each element.
  private let borrowedReader: Borrowed<JSONReader>?
  private var values: ValueElements?
  /// The path of an element without a text.
  private var valuePath = "$"

  /// Makes the elements of a text.
  init(_ reader: JSONReader) {
    self.reader = reader
    borrowedReader = Borrowed(reader)
    tape = reader.tape
  }

  /// Makes the elements of a value.
  init(_ values: ValueElements, _ memory: MemoryAccount) {
    self.values = values
    reader = nil
    borrowedReader = nil
    tape = JSONTape(memory)
  }

  /// The position in an array of an element without a text, or -1; and whether it is the document.
  var index: Int { values?.index ?? -1 }
  var isWholeDocument: Bool { values?.isWholeDocument ?? false }
  /// The path in the JSON of the element on the tape.
  var path: String { reader?.elementPath ?? valuePath }

  /// Puts the next element on the tape; returns false at the end.
  func next() throws -> Bool {
    if let borrowedReader { return try borrowedReader.use { try $0.next() } }
    guard let path = try values?.next(onto: tape) else { return false }
    valuePath = path
    return true
  }

  /// The path of an array without elements, after it is read; nil for any other input.
  var emptyArrayPath: String? { reader.map(\.emptyArrayPath) ?? values?.emptyArrayPath }

  /// Skips up to `count` elements, or to the end of the readable ones.
  func skip(_ count: Int) {
    for _ in 0..<count { guard (try? next()) == true else { return } }
  }

  /// Returns the error to throw for an import that failed before all elements were read.
  ///
  /// Invalid JSON takes precedence, even over an error of an earlier element. The outcome is
  /// therefore the same for whole and for streamed input.
  func failure(_ error: any Error) -> any Error {
    guard let reader, Self.isOverruledBySyntax(error) else { return error }
    do {
      while try reader.next() {}
    } catch let later as GrootError where later.status == .invalidJSON {
      return later
    } catch {}
    return error
  }

  /// Returns whether a later syntax error in the text takes precedence over this error.
  static func isOverruledBySyntax(_ error: any Error) -> Bool {
    guard let grootError = error as? GrootError else { return false }
    return ![.cancelled, .callbackFailed, .fileError, .limitExceeded, .outOfMemory].contains(
      grootError.status)
  }
}
