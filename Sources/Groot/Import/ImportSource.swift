/// Where the elements of an import come from, one after the other.
struct ImportSource {
  /// Makes a source that begins at the first element.
  typealias Factory = () throws -> ImportSource

  /// Where each element is put.
  let tape: JSONTape
  /// Reads the text; nil when the elements do not come from a text.
  let reader: JSONReader?
  /// Whether another source of the same elements can be made.
  let isRepeatable: Bool
  /// The length of the text; nil when it is not known, or there is no text.
  var byteCount: Int?
  /// Puts the next element on the tape, and tells the importer where it stands; false at the end.
  let next: (Importer) throws -> Bool

  /// The elements of a value.
  init(_ elements: ValueElements) {
    var elements = elements
    let tape = JSONTape()
    self.tape = tape
    reader = nil
    isRepeatable = true
    byteCount = nil
    next = { importer in
      guard let path = try elements.next(onto: tape) else { return false }
      importer.elementPath = path
      return true
    }
  }

  /// The elements of a text.
  init(_ reader: JSONReader, isRepeatable: Bool = true, byteCount: Int? = nil) {
    tape = reader.tape
    self.reader = reader
    self.isRepeatable = isRepeatable
    self.byteCount = byteCount
    next = { _ in try reader.next() }
  }

  /// The elements of the text in a file, which is read piece by piece.
  init(file path: String, _ source: JSONReader.Source, usesScanner: Bool) throws {
    let file = try InputFile(path)
    let reader = JSONReader(usesScanner: usesScanner, source: source) { try file.read(into: $0) }
    self.init(reader, isRepeatable: file.isRegular, byteCount: file.size)
  }
}
