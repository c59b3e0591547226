/// How far an import has come.
public struct ImportProgress: Sendable {
  /// Bytes of text read; 0 when there is no text.
  public var bytes: Int
  /// Elements of the top-level array imported.
  public var records: Int
  /// Objects inserted.
  public var inserted: Int
  /// Objects found and changed.
  public var updated: Int
}

/// How an import is done.
public struct ImportOptions {
  /// Whether text is read by the library's own scanner, with jansson for what that does not take.
  ///
  /// False reads all of it through jansson. The results are the same.
  public var usesScanner = true
  /// Called now and then; false ends the import with ``Status/cancelled``.
  public var progress: ((ImportProgress) throws -> Bool)?

  /// The usual options.
  public init() {}
}
