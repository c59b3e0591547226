/// The options of a synchronization of objects with a list of entries.
public struct SyncOptions {
  /// Whether entries without an existing object make one.
  public var inserts = true
  /// Whether entries change existing objects.
  public var updates = true
  /// Whether objects without an entry are deleted.
  public var deletes = true
  /// Whether members of to-many relationships are made; nil for the same as ``inserts``.
  ///
  /// This option and the next two apply to members that are objects in an entry.
  public var memberInserts: Bool?
  /// Whether existing members are changed; nil for the same as ``updates``.
  public var memberUpdates: Bool?
  /// Whether unlisted members that no other object has are deleted; nil for that of ``deletes``.
  ///
  /// They are no longer members in any case.
  public var memberDeletes: Bool?
  /// The predicate of the objects that may be deleted; see ``FetchRequest/predicate``.
  public var predicate: JSONValue?
  /// The object that has the entries as members.
  ///
  /// New objects are linked to it, and only its members are deleted.
  public var parent: ObjectID?
  /// The treatment of objects without an entry.
  public enum Deletion: Int32, Sendable {
    /// They are deleted.
    case delete = 0
    /// The attribute of the annotation `groot.deletionMark` is set.
    case mark = 1
  }

  /// The treatment of objects without an entry, and of those with tombstones.
  public var deletion = Deletion.delete
  /// Whether deletions are withheld if an entry, or a member in one, is not identified.
  ///
  /// The object that the entry means would otherwise count as an object without an entry.
  /// ``ImportReport/withheld`` lists the objects that are kept for this reason.
  public var withholdsDeletions = true
  /// The number of objects that a synchronization may delete or mark.
  public enum DeletionLimit: Sendable, Hashable {
    /// At most so many objects, from 0: those of cascades, tombstones and members count too.
    case count(Int)
    /// At most this share of the objects in the scope, from 0 to 1.
    ///
    /// Only objects in the scope count. Those that keep an earlier deletion mark do not.
    case share(Double)
  }

  /// The limit above which the call fails with ``Status/tooManyDeletions``, as does a dry run.
  ///
  /// Nil allows any number.
  public var maximumDeletions: DeletionLimit?
  /// The arrangement of the entries in a text, like ``ImportOptions/format``.
  public var format = ImportOptions.Format.json
  /// The arrangement of the entries, like ``ImportOptions/form``.
  public var form = CollectionForm.array
  /// The path of the entries in the JSON, like ``ImportOptions/rootPath``.
  public var rootPath = ""
  /// Policies for all properties without their own annotation, like ``ImportOptions/policies``.
  public var policies: NameMap<String> = [:]
  /// The mapping of the context's model to use; nil for the context's own mapping.
  public var mapping: Mapping?
  /// The number of issues that the call may have; `Int.max` allows any number.
  public var maximumIssues = 100
  /// Whether all changes are undone at the end: the report lists the changes of a real call.
  public var isDryRun = false
  /// Whether the report lists each change besides the counts.
  public var listsChanges = false
  /// The userdata of functions, like ``ImportOptions/callbackUserdata``.
  package var callbackUserdata: UInt = 0
  /// Whether the library's own scanner reads text; false lets tests compare it with jansson.
  package var usesScanner = true
  /// The function that may reject the call, like ``ImportOptions/willAccept``.
  package var willAccept: ((Int) throws -> Void)?
  /// The function that is called at intervals; false ends the call with ``Status/cancelled``.
  public var progress: ((ImportProgress) throws -> Bool)?

  /// Makes the default options.
  public init() {}
}
