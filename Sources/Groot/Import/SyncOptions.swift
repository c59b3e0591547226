/// How objects are synchronized with a list of entries.
public struct SyncOptions {
  /// Whether entries that name no object make one.
  public var inserts = true
  /// Whether entries that name an object change it.
  public var updates = true
  /// Whether objects that no entry names are deleted.
  public var deletes = true
  /// Whether members of to-many relationships are made; nil is as ``inserts``.
  ///
  /// This and the next two are about members that are objects in an entry.
  public var memberInserts: Bool?
  /// Whether existing members are changed; nil for the same as ``updates``.
  public var memberUpdates: Bool?
  /// Whether members that are not listed any more are deleted where only this object had them; nil
  /// is as ``deletes``.
  ///
  /// They cease to be members in any case.
  public var memberDeletes: Bool?
  /// The scope: only objects for which it holds are deleted; as ``FetchRequest/predicate``.
  public var predicate: JSONValue?
  /// The object that has the entries as members: new objects are linked to it, and only its members
  /// are deleted.
  public var parent: ObjectID?
  /// The treatment of objects that no entry names.
  public enum Deletion: Int32, Sendable {
    /// They are deleted.
    case delete = 0
    /// The attribute that the annotation `groot.deletionMark` names is set.
    case mark = 1
  }

  /// The treatment of objects that no entry names, and of those of tombstones.
  public var deletion = Deletion.delete
  /// Whether nothing is deleted or marked while an entry, or a member in one, could not be identified:
  /// the object that it means would be among those that no entry names.
  ///
  /// ``ImportReport/withheld`` has the objects that stay for that reason.
  public var withholdsDeletions = true
  /// How the entries are arranged, as ``ImportOptions/form``.
  public var form = CollectionForm.array
  /// Where the entries are in the JSON, as ``ImportOptions/rootPath``.
  public var rootPath = ""
  /// Policies for all properties that have no annotation of their own, as ``ImportOptions/policies``.
  public var policies: NameMap<String> = [:]
  /// Another mapping of the context's model; nil is the context's own.
  public var mapping: Mapping?
  /// As ``ImportOptions/usesScanner``.
  public var usesScanner = true
  /// More issues than this end the call; `Int.max` allows any number.
  public var maximumIssues = 100
  /// Whether to undo everything at the end: the report says what would have been done.
  public var isDryRun = false
  /// Whether the report lists each change, and not only counts.
  public var listsChanges = false
  /// As ``ImportOptions/callbackUserdata``.
  package var callbackUserdata: UInt = 0
  /// As ``ImportOptions/willAccept``.
  package var willAccept: ((Int) throws -> Void)?
  /// Called now and then; false ends the call with ``Status/cancelled``.
  public var progress: ((ImportProgress) throws -> Bool)?

  /// The usual options.
  public init() {}
}
