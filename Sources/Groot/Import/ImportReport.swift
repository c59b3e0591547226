/// The changes that an import made, or would have made.
public struct ImportReport: Sendable {
  /// The change of one object.
  public struct Change: Sendable {
    /// The kind of change of an object.
    public enum Kind: String, Sendable {
      /// It was not there before.
      case inserted
      /// It was there and differs.
      case updated
      /// It was deleted.
      case deleted
    }

    /// The object; one that a dry run inserted is gone again.
    public var object: ObjectID
    /// The name of its entity.
    public var entity: String
    /// The kind of change.
    public var kind: Kind
    /// The properties that differ, by name, with their values before and after the import.
    ///
    /// Relationships are given as the numbers of the members, in both directions. A property
    /// without a value before or after is not listed for objects that were inserted or deleted.
    public var properties: [(name: String, old: JSONValue, new: JSONValue)]
  }

  /// The number of new objects.
  public var inserted = 0
  /// The number of objects that were there and differ from before: in a value, or in a link of
  /// either direction.
  public var updated = 0
  /// The number of objects that were there, were given, and are as before.
  public var unchanged = 0
  /// The number of objects that were there and are not any more.
  public var deleted = 0
  /// The number of records left out because their objects are as new, see `groot.version`.
  public var stale = 0
  /// Their objects, when ``ImportOptions/listsChanges`` or ``ImportOptions/isDryRun`` asks for it.
  public var staleObjects: [ObjectID] = []
  /// The objects that a synchronization would have deleted or marked, had it been able to identify each
  /// entry; see ``SyncOptions/withholdsDeletions``.
  public var withheld: [ObjectID] = []
  /// The number of records left out because they were wrong.
  public var skipped = 0
  /// The issues of them, and of values that were left as they were.
  public var issues: [GrootIssue] = []
  /// How many of the issues are about records that were left out.
  var errorCount = 0
  /// The placeholders that the last issues are about, one each.
  var unbrought: [ObjectID] = []
  /// Each change, when ``ImportOptions/listsChanges`` or ``ImportOptions/isDryRun`` asks for it.
  public var changes: [Change] = []

  /// The objects that the import came across, by entity, when ``ImportOptions/listsAccess`` asks.
  public var accessed: NameMap<[ObjectID]> = [:]
  /// The other objects of those entities that the import is about.
  public var unaccessed: NameMap<[ObjectID]> = [:]

  /// An empty report.
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
