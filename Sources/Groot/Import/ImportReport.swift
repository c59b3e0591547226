/// The changes that an import made, or in a dry run would make.
public struct ImportReport: Sendable {
  /// The change of one object.
  public struct Change: Sendable {
    /// The kind of change of an object.
    public enum Kind: String, Sendable {
      /// The object is new.
      case inserted
      /// The object existed and differs from before.
      case updated
      /// The object was deleted.
      case deleted
    }

    /// The object; after a dry run, an inserted object no longer exists.
    public var object: ObjectID
    /// The name of the object's entity.
    public var entity: String
    /// The kind of change.
    public var kind: Kind
    /// The properties that differ, by name, with their values before and after the import.
    ///
    /// A relationship is given as the numbers of its members, in both directions. For an inserted
    /// or deleted object, properties without a value are not listed.
    public var properties: [(name: String, old: JSONValue, new: JSONValue)]
  }

  /// The number of new objects.
  public var inserted = 0
  /// The number of existing objects that differ from before in a value or a link.
  public var updated = 0
  /// The number of existing objects that came with a record and are the same as before.
  public var unchanged = 0
  /// The number of deleted objects.
  public var deleted = 0
  /// The number of records left out because they are not newer than their objects; see `groot.version`.
  public var stale = 0
  /// The objects of those records, listed for ``ImportOptions/listsChanges`` or a dry run.
  public var staleObjects: [ObjectID] = []
  /// The objects that a synchronization keeps because it could not identify every entry.
  ///
  /// It would otherwise have deleted or marked them; see ``SyncOptions/withholdsDeletions``.
  public var withheld: [ObjectID] = []
  /// The number of records left out because they were invalid.
  public var skipped = 0
  /// The issues of those records, and of values that were left unchanged.
  public var issues: [GrootIssue] = []
  /// The number of issues about records that were left out.
  var errorCount = 0
  /// The placeholders that the last issues are about, one for each issue.
  var unbrought: [ObjectID] = []
  /// Each change, if ``ImportOptions/listsChanges`` or ``ImportOptions/isDryRun`` is set.
  public var changes: [Change] = []

  /// The objects that the import came across, by entity, if ``ImportOptions/listsAccess`` is set.
  public var accessed: NameMap<[ObjectID]> = [:]
  /// The other objects of the import's entities.
  public var unaccessed: NameMap<[ObjectID]> = [:]

  /// Makes an empty report.
  public init() {}

  /// The report in the form that C and Python read.
  public var json: JSONValue {
    [
      "inserted": .integer(Int64(inserted)), "updated": .integer(Int64(updated)),
      "unchanged": .integer(Int64(unchanged)), "deleted": .integer(Int64(deleted)),
      "skipped": .integer(Int64(skipped)), "stale": .integer(Int64(stale)),
      "staleObjects": .array(
        staleObjects.map { .integer(Int64(bitPattern: $0.rawValue)) }),
      "withheld": .array(withheld.map { .integer(Int64(bitPattern: $0.rawValue)) }),
      "issues": .array(issues.map(\.json)),
      "changes": .array(changes.map(\.json)), "accessed": Self.json(accessed),
      "unaccessed": Self.json(unaccessed),
    ]
  }

  private static func json(_ objects: NameMap<[ObjectID]>) -> JSONValue {
    var lists = JSONObject()
    for (name, ids) in objects {
      lists[name] = .array(ids.map { .integer(Int64(bitPattern: $0.rawValue)) })
    }
    return .object(lists)
  }
}

extension ImportReport.Change {
  fileprivate var json: JSONValue {
    var values = JSONObject()
    for (name, old, new) in properties { values[name] = ["old": old, "new": new] }
    return [
      "object": .integer(Int64(bitPattern: object.rawValue)), "entity": .string(entity),
      "change": .string(kind.rawValue), "properties": .object(values),
    ]
  }
}

extension GrootIssue {
  /// The issue as a JSON object with the members of `groot_issue`.
  package var json: JSONValue {
    [
      "status": .integer(Int64(status.rawValue)), "severity": .integer(Int64(severity.rawValue)),
      "message": .string(message), "path": .string(path), "entity": .string(entity),
      "property": .string(property), "line": .integer(Int64(line)),
      "column": .integer(Int64(column)), "offset": .integer(Int64(offset)),
    ]
  }
}
