// An input while a call reads it: its memory is borrowed, and its file is open.

extension JSONInput {
  /// An open input; its content may be read from the beginning more than once.
  struct Opened {
    fileprivate enum Form {
      case bytes(UnsafeRawBufferPointer)
      case file(InputFile)
      case values(ValueElements)
    }

    fileprivate let form: Form
    /// The location of the elements in a text.
    fileprivate let layout: JSONReader.Source
    fileprivate let usesScanner: Bool
    /// The account of the memory that reading takes.
    fileprivate let memory: MemoryAccount
  }

  /// Calls `body` with the open input, whose elements are where the options of an import say.
  func open<Result>(
    _ options: ImportOptions, _ memory: MemoryAccount, body: (Opened) throws -> Result
  ) throws -> Result {
    try open(
      layout: { try options.source() }, options.usesScanner, memory,
      value: { try ValueElements(of: $0, at: JSONPointer(options.rootPath)) },
      jansson: { try ValueElements(of: $0, at: JSONPointer(options.rootPath)) }, body: body)
  }

  /// Calls `body` with the open input, which is one element.
  func openWhole<Result>(
    usesScanner: Bool, _ memory: MemoryAccount, body: (Opened) throws -> Result
  ) throws -> Result {
    try open(
      layout: { JSONReader.Source() }, usesScanner, memory,
      value: { ValueElements(whole: $0) }, jansson: { ValueElements(whole: $0) }, body: body)
  }

  /// A string lends its bytes without a copy where possible.
  private func open<Result>(
    layout: () throws -> JSONReader.Source, _ usesScanner: Bool, _ memory: MemoryAccount,
    value: (JSONValue) throws -> ValueElements,
    jansson: (BorrowedJansson) throws -> ValueElements, body: (Opened) throws -> Result
  ) throws -> Result {
    func opened(_ form: Opened.Form, _ layout: JSONReader.Source) throws -> Result {
      try body(Opened(form: form, layout: layout, usesScanner: usesScanner, memory: memory))
    }
    switch form {
    case .text(var text):
      let layout = try layout()
      return try text.withUTF8 { try opened(.bytes(UnsafeRawBufferPointer($0)), layout) }
    case .lent(let lent):
      let layout = try layout()
      return try lent.withMemory { try opened(.bytes($0), layout) }
    case .bytes(let text): return try opened(.bytes(text), layout())
    case .file(let path):
      let layout = try layout()
      return try opened(.file(InputFile(path)), layout)
    case .value(let json): return try opened(.values(value(json)), JSONReader.Source())
    case .jansson(let json): return try opened(.values(jansson(json)), JSONReader.Source())
    }
  }
}

extension JSONInput.Opened {
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

  /// Returns the elements, from the first one on; those of a second reading in one thread.
  func elements(isSecond: Bool = false) -> ImportElements {
    var layout = layout
    if isSecond { layout.aheadLength = nil }
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
