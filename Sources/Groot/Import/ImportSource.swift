/// An open input; its content may be read from the beginning more than once.
struct ImportSource {
  private enum Form {
    case bytes(UnsafeRawBufferPointer)
    case file(InputFile)
    case values(ValueElements)
  }

  private let form: Form
  private let layout: JSONReader.Source
  private let usesScanner: Bool
  /// The account of the memory that reading takes.
  private let memory: MemoryAccount

  /// Opens an input with the elements at the location of `layout`.
  init(
    _ input: BorrowedInput, layout: JSONReader.Source = JSONReader.Source(), usesScanner: Bool,
    _ memory: MemoryAccount
  ) throws {
    self.memory = memory
    self.layout = layout
    self.usesScanner = usesScanner
    let root = try layout.root ?? JSONPointer("")
    switch input {
    case .bytes(let text): form = .bytes(text)
    case .file(let path): form = .file(try InputFile(path))
    case .value(let json): form = .values(try ValueElements(of: json, at: root))
    case .jansson(let json): form = .values(try ValueElements(of: json, at: root))
    }
  }

  /// Opens an input as one element.
  init(whole input: BorrowedInput, usesScanner: Bool, _ memory: MemoryAccount) throws {
    self.memory = memory
    layout = JSONReader.Source()
    self.usesScanner = usesScanner
    switch input {
    case .bytes(let text): form = .bytes(text)
    case .file(let path): form = .file(try InputFile(path))
    case .value(let json): form = .values(ValueElements(whole: json))
    case .jansson(let json): form = .values(ValueElements(whole: json))
    }
  }

  /// Whether the input can be read again: a pipe or device cannot.
  var isRepeatable: Bool {
    if case .file(let file) = form { file.size != nil } else { true }
  }

  /// The length of the text; nil when it is unknown or there is no text.
  var byteCount: Int? {
    switch form {
    case .bytes(let text): text.count
    case .file(let file): file.size
    case .values: nil
    }
  }

  /// Returns the elements, from the first one on.
  func elements() -> ImportElements {
    switch form {
    case .bytes(let text):
      return ImportElements(
        JSONReader(text: text, usesScanner: usesScanner, source: layout, account: memory))
    case .file(let file):
      var offset = 0
      return ImportElements(
        JSONReader(usesScanner: usesScanner, source: layout, account: memory) { buffer in
          let count = try file.read(into: buffer, at: offset)
          offset += count
          return count
        })
    case .values(let elements): return ImportElements(elements, memory)
    }
  }
}
