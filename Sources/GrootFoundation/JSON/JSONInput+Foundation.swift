import Foundation
import Groot

// Data, files and encoded values as inputs of imports.

extension Data: LentMemory {
  /// Lends the bytes.
  package func withMemory<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try withUnsafeBytes(body)
  }
}

extension JSONInput {
  /// Makes an input of JSON text in UTF-8.
  public static func data(_ text: Data) -> JSONInput { .lent(text) }

  /// Makes an input of JSON text in a file, which is read in pieces: memory does not grow with it.
  ///
  /// - Throws: ``Status/invalidArgument`` when the URL is not a file URL.
  public static func file(_ url: URL) throws(GrootError) -> JSONInput {
    .file(try url.filePath())
  }

  /// Makes an input of an encoded value, in the forms that imports read.
  ///
  /// Dates are ISO 8601, data is base64, URLs and UUIDs are text, and decimals have all digits.
  ///
  /// - Throws: ``Status/outOfRange`` for numbers and dates that JSON or Groot does not have;
  ///   ``Status/limitExceeded`` for more than 128 levels; ``Status/callbackFailed`` with the error
  ///   of the value.
  public static func encoded(_ content: some Encodable) throws(GrootError) -> JSONInput {
    .value(try JSONValue(encoding: content))
  }
}

extension URL {
  /// Returns the path of a file in the local file system.
  ///
  /// - Throws: ``Status/invalidArgument``.
  func filePath() throws(GrootError) -> String {
    guard isFileURL else {
      throw GrootError(.invalidArgument, "'\(absoluteString)' is not the URL of a file")
    }
    // The system reads a path up to a NUL, and would open another file.
    guard !path.isEmpty, !path.utf8.contains(0), !absoluteString.contains("%00") else {
      throw GrootError(.invalidArgument, "'\(absoluteString)' has no path that a file can have")
    }
    return path
  }
}
