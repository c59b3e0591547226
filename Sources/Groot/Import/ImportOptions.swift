/// The progress of an import.
public struct ImportProgress: Sendable {
  /// The number of bytes of text read; 0 without a text.
  public var bytes: Int
  /// The number of imported elements of the top-level array.
  public var records: Int
  /// The number of inserted objects.
  public var inserted: Int
  /// The number of found and changed objects.
  public var updated: Int
  /// The number of found and unchanged objects.
  public var unchanged: Int
}

/// The options of an import.
public struct ImportOptions {
  /// The effect of an invalid record on an import.
  public enum ErrorMode: Int32, Sendable {
    /// The first issue fails the import.
    case abort = 0
    /// The issues of all records are gathered, and then fail the import.
    case collect = 1
    /// Invalid records are left out as a whole, and listed in the report.
    case skip = 2
  }

  /// The effect of an invalid record.
  public var errorMode = ErrorMode.abort
  /// The number of issues that an import may have in any mode; `Int.max` allows any number.
  public var maximumIssues = 100
  /// Whether all changes are undone at the end: the report lists the changes of a real import.
  public var isDryRun = false
  /// Whether the report lists each change besides the counts.
  public var listsChanges = false
  /// Policies by name, for all properties without their own annotation.
  ///
  /// The names and values are those of the annotations `groot.null`, `groot.missing` and so on,
  /// without the prefix.
  public var policies: NameMap<String> = [:]
  /// The mapping of the context's model to import by; nil for the context's own mapping.
  public var mapping: Mapping?
  /// Whether missing objects are made or left out.
  ///
  /// Nested objects without any identity are always made, since no existing object could be found.
  public var createsObjects = true
  /// Whether the report lists the objects that the import came across, and the others.
  public var listsAccess = false
  /// The arrangement of the records in the text.
  public enum Format: Int32, Sendable {
    /// One JSON value: an object, or an array of records.
    case json = 0
    /// Each line is a record; blank lines are skipped.
    case jsonLines = 1
  }

  /// The arrangement of the records in a text; ignored for other input.
  public var format = Format.json
  /// The arrangement of the records: in an array, under keys, or in groups under keys.
  ///
  /// Records under keys are read as one element, so memory grows with the text.
  public var form = CollectionForm.array
  /// The path of the object or the array of records, as a JSON Pointer (RFC 6901).
  ///
  /// An example is `/data/items`; an empty path means the whole document. The surrounding JSON is
  /// validated, but takes no memory.
  public var rootPath = ""
  /// The number of records in a batch; 0 for an import without batches.
  ///
  /// After each batch the objects are written to the store and freed, so that an import may be
  /// larger than memory. The objects go into the store without a save, and the result lists none. A
  /// record finds the objects of earlier batches. An identifier does not find objects that only a
  /// later batch brings.
  public var batchSize = 0
  /// The time at which an import in batches becomes permanent.
  public enum Commits: Int32, Sendable {
    /// After the last batch: either all records are imported, or none.
    case whole = 0
    /// After each batch: objects imported before a failure stay.
    case eachBatch = 1
  }

  /// The time at which an import in batches becomes permanent.
  public var commits = Commits.whole
  /// The number of threads that read a text: 1, or 2 to scan it ahead in a second one.
  ///
  /// Results and errors are the same. The call starts the second thread and ends it; functions of the
  /// program run in the first. It helps with an array of records in memory or in a file, and holds
  /// back from records over 16 KiB, lines, and text that comes in pieces.
  public var threads = 1
  /// The path of the records when the whole document is read, since paths begin there.
  var recordsPath = ""
  /// Whether the caller takes the counts of the report: without them an import compares nothing.
  package var takesCounts = true
  /// The userdata of a program's functions in each call of this import; an address.
  package var callbackUserdata: UInt = 0
  /// Whether the library's own scanner reads text; false lets tests compare it with jansson.
  package var usesScanner = true
  /// The function that may reject the import, called with the number of objects.
  ///
  /// It is called before the changes are accepted, and its error undoes the import.
  package var willAccept: ((Int) throws -> Void)?
  /// The function that is called at intervals; false ends the import with ``Status/cancelled``.
  public var progress: ((ImportProgress) throws -> Bool)?

  /// Makes the default options.
  public init() {}
}

extension ImportOptions {
  /// Returns options that read the whole document if paths begin outside an entity's records.
  func reading(_ mapping: Mapping, into entity: String?) -> ImportOptions {
    guard format == .json, !rootPath.isEmpty,
      mapping.plan.readsDocument || entity.map(mapping.readsAround) == true
    else { return self }
    var options = self
    options.recordsPath = rootPath
    options.rootPath = ""
    return options
  }

  /// Returns the location of the records in a text.
  func source() throws -> JSONReader.Source {
    let root = try JSONPointer(rootPath)
    guard format == .json || root.keys.isEmpty else {
      throw GrootError(.invalidArgument, "a text of lines has no root path")
    }
    guard 1...2 ~= threads else {
      throw GrootError(.invalidArgument, "threads is \(threads); it is 1 or 2")
    }
    var source = JSONReader.Source(hasLines: format == .jsonLines, root: root)
    if threads == 2 { source.aheadLength = ScanAhead.worthwhileLength }
    return source
  }
}

extension ProgressListener {
  /// The function that observes the imports without their own progress function.
  var importHandler: ((ImportProgress) throws -> Bool)? {
    handler.map { handler in
      { handler(CallProgress(operation: .importing, records: $0.records, bytes: $0.bytes)) }
    }
  }
}
