import Foundation
import Groot

// Data and files as what imports read.

extension Data: LentMemory {
  /// Lends the bytes.
  package func withMemory<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try withUnsafeBytes(body)
  }
}

extension JSONInput {
  /// JSON text in UTF-8.
  public static func data(_ text: Data) -> JSONInput { .lent(text) }

  /// JSON text in a file, which is read piece by piece: memory does not grow with the file.
  ///
  /// - Throws: ``Status/invalidArgument`` when the URL is not that of a file.
  public static func file(_ url: URL) throws(GrootError) -> JSONInput {
    .file(try url.filePath())
  }

  /// The JSON that a value is encoded as, in the forms that imports read: dates as ISO 8601, data as
  /// base64, URLs and UUIDs as text, decimals with all their digits.
  ///
  /// - Throws: ``Status/outOfRange`` for numbers and dates that JSON or Groot have not;
  ///   ``Status/limitExceeded`` for more than 128 levels; ``Status/callbackFailed`` with what the
  ///   value threw.
  public static func encoded(_ content: some Encodable) throws(GrootError) -> JSONInput {
    .value(try JSONValue(encoding: content))
  }
}

extension URL {
  /// The path of a file in the local file system.
  ///
  /// - Throws: ``Status/invalidArgument``.
  func filePath() throws(GrootError) -> String {
    guard isFileURL else {
      throw GrootError(.invalidArgument, "'\(absoluteString)' is not the URL of a file")
    }
    // Behind a zero the system would not read on, and open another file.
    guard !path.isEmpty, !path.utf8.contains(0), !absoluteString.contains("%00") else {
      throw GrootError(.invalidArgument, "'\(absoluteString)' has no path that a file can have")
    }
    return path
  }
}
