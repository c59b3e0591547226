/// Memory that is lent for as long as a function runs.
package protocol LentMemory {
  /// Calls `body` with the memory.
  func withMemory<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result
}

/// The JSON that an import, a synchronization or a filling reads; a string literal is JSON text.
///
/// ```swift
/// try context.importJSON(.file("heroes.json"), into: "Character")
/// try context.importJSON(#"[{"id": 1, "name": "Batman"}]"#, into: "Character")
/// ```
public struct JSONInput {
  private enum Form {
    case text(String)
    case lent(any LentMemory)
    case borrowed(BorrowedInput)
  }

  private let form: Form

  /// JSON text.
  public static func text(_ text: String) -> JSONInput { JSONInput(form: .text(text)) }

  /// JSON text in memory that is borrowed for the call.
  public static func bytes(_ text: UnsafeRawBufferPointer) -> JSONInput {
    JSONInput(form: .borrowed(.bytes(text)))
  }

  /// JSON text in memory that is kept until it is read.
  package static func lent(_ text: some LentMemory) -> JSONInput { JSONInput(form: .lent(text)) }

  /// JSON text in a file, which is read piece by piece: memory does not grow with the file.
  ///
  /// A file that cannot be read is a ``Status/fileError``.
  public static func file(_ path: String) -> JSONInput {
    JSONInput(form: .borrowed(.file(path)))
  }

  /// A JSON value.
  public static func value(_ value: JSONValue) -> JSONInput {
    JSONInput(form: .borrowed(.value(value)))
  }

  /// A json_t, which is borrowed for the call.
  package static func jansson(_ json: BorrowedJansson) -> JSONInput {
    JSONInput(form: .borrowed(.jansson(json)))
  }

  /// Calls `body` with the input; a string lends the bytes that it has in memory.
  func borrow<Result>(_ body: (BorrowedInput) throws -> Result) rethrows -> Result {
    switch form {
    case .text(var text):
      try text.withUTF8 { try body(.bytes(UnsafeRawBufferPointer($0))) }
    case .lent(let memory): try memory.withMemory { try body(.bytes($0)) }
    case .borrowed(let input): try body(input)
    }
  }
}

extension JSONInput: ExpressibleByStringInterpolation {
  /// JSON text.
  public init(stringLiteral text: String) { self = .text(text) }
}

/// The input of one call, whose memory is there until it returns.
enum BorrowedInput {
  case bytes(UnsafeRawBufferPointer)
  case file(String)
  case value(JSONValue)
  case jansson(BorrowedJansson)

  /// Where it has the records.
  func layout(_ options: ImportOptions) throws -> JSONReader.Source {
    switch self {
    case .bytes, .file: try options.source()
    case .value, .jansson: JSONReader.Source(root: try JSONPointer(options.rootPath))
    }
  }
}
