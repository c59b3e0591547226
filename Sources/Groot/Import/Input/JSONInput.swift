/// Memory that is lent while a function runs.
package protocol LentMemory {
  /// Calls `body` with the memory.
  func withMemory<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result
}

/// The JSON input of an import, a synchronization or a filling; a string literal is JSON text.
///
/// ```swift
/// try context.importJSON(.file("heroes.json"), into: "Character")
/// try context.importJSON(#"[{"id": 1, "name": "Batman"}]"#, into: "Character")
/// ```
public struct JSONInput {
  enum Form {
    case text(String)
    case lent(any LentMemory)
    case bytes(UnsafeRawBufferPointer)
    case file(String)
    case value(JSONValue)
    case jansson(BorrowedJansson)
  }

  let form: Form

  /// Makes an input of JSON text.
  public static func text(_ text: String) -> JSONInput { JSONInput(form: .text(text)) }

  /// Makes an input of JSON text in memory that is borrowed for the call.
  public static func bytes(_ text: UnsafeRawBufferPointer) -> JSONInput {
    JSONInput(form: .bytes(text))
  }

  /// Makes an input of JSON text in memory that is retained until it is read.
  package static func lent(_ text: some LentMemory) -> JSONInput { JSONInput(form: .lent(text)) }

  /// Makes an input of JSON text in a file.
  ///
  /// The file is read piece by piece, so memory does not grow with its size. A file that cannot be
  /// read throws ``Status/fileError``.
  public static func file(_ path: String) -> JSONInput {
    JSONInput(form: .file(path))
  }

  /// Makes an input of a JSON value.
  public static func value(_ value: JSONValue) -> JSONInput {
    JSONInput(form: .value(value))
  }

  /// Makes an input of a `json_t` that is borrowed for the call.
  package static func jansson(_ json: BorrowedJansson) -> JSONInput {
    JSONInput(form: .jansson(json))
  }
}

extension JSONInput: ExpressibleByStringInterpolation {
  /// Makes an input of JSON text.
  public init(stringLiteral text: String) { self = .text(text) }
}
