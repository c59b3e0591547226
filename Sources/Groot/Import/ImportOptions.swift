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
  /// Objects found that are as before.
  public var unchanged: Int
}

/// How an import is done.
public struct ImportOptions {
  /// The effect of a wrong record on an import.
  public enum ErrorMode: Int32, Sendable {
    /// The first issue fails it.
    case abort = 0
    /// All issues are gathered, then it fails with them.
    case collect = 1
    /// Wrong records are left out, whole, and listed in the report.
    case skip = 2
  }

  /// Whether text is read by the library's own scanner, with jansson for what that does not take.
  ///
  /// False reads all of it through jansson. The results are the same.
  public var usesScanner = true
  /// The effect of a wrong record.
  public var errorMode = ErrorMode.abort
  /// More issues than this end the import, whatever the mode; `Int.max` allows any number.
  public var maximumIssues = 100
  /// Whether to undo everything at the end: the report says what would have been done.
  public var isDryRun = false
  /// Whether the report lists each change, and not only counts.
  public var listsChanges = false
  /// Policies for all properties that have no annotation of their own, by name.
  ///
  /// The names and values are those of the annotations `groot.null`, `groot.missing` and so on,
  /// without the prefix.
  public var policies: NameMap<String> = [:]
  /// Another mapping of the context's model to import by; nil is the context's own.
  public var mapping: Mapping?
  /// Whether missing objects are made; else they are left out.
  ///
  /// Objects nested in others without any identity are made all the same: nothing could be found.
  public var createsObjects = true
  /// Whether the report says which objects the import came across, and which not.
  public var listsAccess = false
  /// How the records are arranged in the text.
  public enum Format: Int32, Sendable {
    /// One JSON value: an object, or an array of records.
    case json = 0
    /// Each line is a record; blank lines are passed over.
    case jsonLines = 1
  }

  /// The arrangement of the records in a text; it does not matter for values other than text.
  public var format = Format.json
  /// How the records are arranged: in an array, under keys, or in groups under keys.
  ///
  /// The records under keys are read as one element: memory grows with the text.
  public var form = CollectionForm.array
  /// Where the object or the array of records is in the JSON, as a JSON Pointer (RFC 6901).
  ///
  /// Such as `/data/items`; empty is the whole. All around it is only checked: it takes no memory.
  public var rootPath = ""
  /// The number of records after which the objects are written to the store and freed in memory; 0
  /// for never.
  ///
  /// So an import may be larger than memory. It goes straight into the store, without a save, and
  /// its result lists no objects. A record finds what batches before it brought, but an identifier
  /// that names what only a later batch brings names nothing yet.
  public var batchSize = 0
  /// When an import in batches is made last.
  public enum Commits: Int32, Sendable {
    /// With the last batch: all of it, or nothing.
    case whole = 0
    /// With each batch: objects imported before a failure stay.
    case eachBatch = 1
  }

  /// When an import in batches is made last.
  public var commits = Commits.whole
  /// The root path, when the whole document is read because paths begin there.
  var recordsPath = ""
  /// The userdata of a program's functions in each call of this import; an address.
  package var callbackUserdata: UInt = 0
  /// Called with the number of objects when all is imported and nothing is accepted yet: its error
  /// undoes the import.
  package var willAccept: ((Int) throws -> Void)?
  /// Called now and then; false ends the import with ``Status/cancelled``.
  public var progress: ((ImportProgress) throws -> Bool)?

  /// The usual options.
  public init() {}
}

extension ImportOptions {
  /// Has the whole document read where paths of a mapping begin there, or at the object around the
  /// records of an entity.
  func reading(_ mapping: Mapping, into entity: String?) -> ImportOptions {
    guard format == .json, !rootPath.isEmpty,
      mapping.plan.readsDocument || entity.map(mapping.readsAround) == true
    else { return self }
    var options = self
    options.recordsPath = rootPath
    options.rootPath = ""
    return options
  }

  /// Where a text has the records.
  func source() throws -> JSONReader.Source {
    let root = try JSONPointer(rootPath)
    guard format == .json || root.keys.isEmpty else {
      throw GrootError(.invalidArgument, "a text of lines has no root path")
    }
    return JSONReader.Source(hasLines: format == .jsonLines, root: root)
  }
}

extension ProgressListener {
  /// The observer of imports that have no progress function of their own.
  var importHandler: ((ImportProgress) throws -> Bool)? {
    handler.map { handler in
      { handler(CallProgress(operation: .importing, records: $0.records, bytes: $0.bytes)) }
    }
  }
}
