/// A store that keeps the objects of a context beyond the process.
///
/// An object is a row with a key, which is never used again in its table, and a version, which
/// grows with each change. The values of a row are in the order of the schema's columns; a
/// reference is the key of its object. All writing happens between ``begin()`` and ``commit()``.
package protocol PersistentStore: AnyObject {
  /// Checks for cancellation during long calls, which then fail with ``Status/cancelled``.
  func follow(_ cancellation: Cancellation, listener: ProgressListener)
  /// Begins a snapshot for all reading until ``endReading()``.
  func beginReading() throws
  func endReading()
  /// Whether the snapshot ended too early, and others have written since.
  var hasLostSnapshot: Bool { get }
  /// Calls `body` with every object of a table, in the order of keys.
  func readRows(_ table: TableIndex, body: @escaping (StoreRow) throws -> Void) throws
  /// Calls `body` with every link of a join, in any order; by sources it is fastest.
  func readLinks(_ join: Int, body: @escaping (StoreLink) throws -> Void) throws

  /// Calls `body` with the objects that have these keys, in any order; skips missing keys.
  func readRows(_ table: TableIndex, keys: [Int64], body: (StoreRow) throws -> Void) throws
  /// Calls `body` with the objects that have one of some identities, in any order.
  ///
  /// - Parameters:
  ///   - identity: A position in the identities of the schema's table.
  ///   - values: The identities, one after another, each with one value per column; a reference is
  ///     the key. A missing value matches a missing value.
  func readRows(
    _ table: TableIndex, identity: Int, values: UnsafeBufferPointer<StoredValue>,
    body: (StoreRow) throws -> Void
  ) throws
  /// Calls `body` with the objects whose reference column leads to one of `owners`.
  ///
  /// The objects of one owner are in the order of their positions, then keys.
  func readMembers(
    _ table: TableIndex, column: Int, of owners: [Int64], body: (StoreRow) throws -> Void
  ) throws
  /// Calls `body` with the links whose source (side 0) or target (side 1) is one of `owners`.
  ///
  /// The links of one owner are in the order of its list.
  func readLinks(
    _ join: Int, side: LinkSide, of owners: [Int64], body: (StoreLink) throws -> Void
  ) throws
  /// Calls `body` with the local indexes of the entities of the objects that have these keys.
  func readEntities(
    _ table: TableIndex, keys: [Int64], body: (_ key: Int64, _ entity: Int) throws -> Void
  ) throws
  /// Returns whether a table has any object.
  func hasRows(_ table: TableIndex) throws -> Bool
  /// Returns the keys that a table has, among the given keys.
  func presentKeys(_ table: TableIndex, among keys: [Int64]) throws -> Set<Int64>
  /// Returns a number that changes when another connection writes.
  ///
  /// Within a read transaction it is the number of the snapshot.
  func dataVersion() throws -> Int64
  /// Calls `body` with the objects of a query in order.
  ///
  /// - Returns: false when the store cannot answer the query; then `body` was not called.
  func fetch(_ query: StoreQuery, body: (StoreRow) throws -> Void) throws -> Bool
  /// Counts the objects of a query without its limit and offset; nil when the store cannot answer.
  func count(_ query: StoreQuery) throws -> Int?
  /// Calls `body` with the values of attributes for each object of a query in order.
  ///
  /// If `isDistinct`, it calls `body` with each combination of values once.
  ///
  /// - Returns: false when the store cannot answer the query; then `body` was not called.
  func select(
    _ query: StoreQuery, paths: [PropertyPath], isDistinct: Bool,
    body: (UnsafeBufferPointer<StoredValue>) throws -> Void
  ) throws -> Bool

  /// The number of statements that were run, for tests.
  var statementCount: Int { get }

  /// The behaviour of a save when others wrote to the same object.
  var conflictPolicy: ConflictPolicy { get }

  /// Whether every statement must leave references that lead to an object.
  ///
  /// Otherwise references are checked at the commit.
  var checksReferencesAtOnce: Bool { get }

  /// Notes that the context has read anew all that it knew.
  func noteFollowed()
  /// Lets go of the log's content that is in the file, while nothing is read.
  func trimLog()

  /// Returns the error of reading a value that is not of its type.
  func failure(of value: UnreadableValue, table: TableIndex, key: Int64) -> GrootError

  /// Whether reading may wait for another machine.
  var isRemote: Bool { get }
  /// The limits of the values that can be saved; nil without any.
  var limits: ValueLimits? { get }
  /// Returns the reason for a value beyond the limits.
  func objection(to value: StoredValue, as type: AttributeType) -> String?

  /// Begins to write; others see nothing of it until ``commit()``.
  func begin(_ hint: WriteHint) throws
  /// Commits everything written since ``begin()``.
  func commit() throws
  /// Discards everything written since ``begin()``.
  func rollBack()
  /// Returns whether a transaction that failed is to be tried again, after a pause if necessary.
  ///
  /// - Parameter attempt: The number of attempts that failed before.
  func isWorthRetrying(_ failure: any Error, attempt: Int) -> Bool
  /// Keeps others from writing to objects until the commit; skips missing keys.
  ///
  /// - Returns: Whether others could write to them until now.
  @discardableResult
  func lockRows(_ table: TableIndex, keys: [Int64]) throws -> Bool

  /// Returns the next key of a table; others may take it meanwhile.
  func nextKey(_ table: TableIndex) throws -> Int64
  /// Returns the first of `count` consecutive keys that no object of a table ever had.
  func takeKeys(_ table: TableIndex, count: Int) throws -> Int64
  /// Inserts `count` objects, which `row` returns by number.
  ///
  /// - Throws: ``UniqueViolation`` when another object has the same identity or partner.
  func insertRows(_ table: TableIndex, count: Int, row: @escaping (Int) -> StoreRow) throws
  /// Updates `count` objects, which `row` returns by number, with values of the same columns.
  ///
  /// - Parameter hasEntity: Whether each update also sets the entity.
  /// - Returns: The numbers of the objects that have another version or were deleted.
  /// - Throws: ``UniqueViolation`` when another object has the same identity or partner.
  func updateRows(
    _ table: TableIndex, columns: [Int], hasEntity: Bool, count: Int, row: (Int) -> RowUpdate
  ) throws -> [Int]
  /// Clears the values of columns before other objects get them; the versions stay the same.
  func clearRows(_ table: TableIndex, columns: [Int], keys: [Int64]) throws
  /// Sets the number in a column of references or positions; the versions stay the same.
  func setNumbers(_ table: TableIndex, column: Int, _ numbers: [RowNumber]) throws
  /// Deletes objects.
  ///
  /// - Returns: The numbers of the objects that have another version or were deleted.
  func deleteRows(_ table: TableIndex, _ rows: [RowVersion]) throws -> [Int]
  /// Inserts `count` links, which `link` returns by number; leaves existing links unchanged.
  func insertLinks(_ join: Int, count: Int, link: @escaping (Int) -> StoreLink) throws
  /// Deletes the links with these sources and targets.
  func deleteLinks(_ join: Int, _ links: [StoreLink]) throws
  /// Puts `count` new links into the places of old ones, which `link` returns by number.
  ///
  /// It leaves new links that exist unchanged, and inserts those whose old one others have deleted. A
  /// new link without a key is left out.
  func exchangeLinks(
    _ join: Int, count: Int, link: (Int) -> (old: StoreLink, new: StoreLink)
  ) throws
  /// Sets the positions of links in the lists of their sources, or of their targets.
  func setLinkPositions(_ join: Int, _ links: [StoreLink], ofTarget: Bool) throws

  /// Returns whether a placeholder was ever written.
  func mayHavePlaceholders() throws -> Bool
  /// Notes that the store may have placeholders from now on.
  func notePlaceholders() throws

  /// Returns the first of `count` positions after all positions ever used in the lists of a
  /// relationship.
  func takePositions(_ lists: StoreLists, count: Int64) throws -> Int64
  /// Returns the position after all positions ever used in the lists of a relationship.
  func nextPosition(_ lists: StoreLists) throws -> Int64
  /// Sets the next key of a table in an empty store that gets the objects of another one.
  func setNextKey(_ table: TableIndex, to key: Int64) throws
  /// Sets the next position in the lists of a relationship, as ``setNextKey(_:to:)`` does for keys.
  func setNextPosition(_ lists: StoreLists, to position: Int64) throws

  /// Returns a text that a program keeps in the store; nil without one.
  func note(_ name: String) throws -> String?
  /// Calls `body` with the names and the texts of all notes.
  func eachNote(_ body: (String, String) throws -> Void) throws
  /// Sets a note, or removes it with nil.
  func setNote(_ name: String, to text: String?) throws
}

extension PersistentStore {
  /// Begins to write without a hint.
  package func begin() throws { try begin(WriteHint()) }

  package var checksReferencesAtOnce: Bool { false }

  package var hasLostSnapshot: Bool { false }

  package func noteFollowed() {}

  package func trimLog() {}

  package var isRemote: Bool { false }

  package var limits: ValueLimits? { nil }

  package func objection(to value: StoredValue, as type: AttributeType) -> String? { nil }

  package func isWorthRetrying(_ failure: any Error, attempt: Int) -> Bool { false }

  package func lockRows(_ table: TableIndex, keys: [Int64]) throws -> Bool { false }
}

/// A hint about the coming writes.
package struct WriteHint {
  /// The number of objects and links to insert.
  package var insertions = 0
  /// The number of objects and links to insert, to change or to delete.
  package var changes = 0
  /// Whether all writes are insertions, with references only to new objects.
  package var isSelfContained = false
  /// Whether an empty store gets the objects of another one, whose number is not known.
  package var isWholeStore = false
  /// Whether more than one save follows, with reading between them.
  package var isInBatches = false
  /// By table, the number of objects to insert; empty when not known.
  package var keys: [Int] = []
  /// An upper bound of the positions that are taken, by the lists that take any.
  package var positions: [(lists: StoreLists, count: Int64)] = []

  package init() {}
}

/// The lists of a relationship, in both directions.
package enum StoreLists: Hashable, Sendable {
  /// The lists of members whose positions are in a column.
  case members(table: TableIndex, column: Int)
  case links(join: Int)
}

/// The failure of a write that would give two objects one identity or one partner.
package struct UniqueViolation: Error {
  /// The table and the key of one of the two objects.
  package let table: TableIndex
  package let key: Int64
  package let failure: GrootError

  package init(table: TableIndex, key: Int64, failure: GrootError) {
    self.table = table
    self.key = key
    self.failure = failure
  }
}

/// The current version of an object, and its next version.
///
/// A version counts the writes to an object. The version of a placeholder is negative.
package struct StoreVersion {
  package let old: Int64
  package let new: Int64

  /// - Parameter isPlaceholder: Whether the object becomes a placeholder; nil for no change.
  init(after old: Int64, isPlaceholder: Bool? = nil) {
    self.old = old
    let number = Int64(clamping: old.magnitude) &+ 1
    new = isPlaceholder ?? (old < 0) ? 0 &- number : number
  }
}

/// An object in a store.
package struct StoreRow {
  package let key: Int64
  /// The entity's local index in its hierarchy.
  package let entity: Int
  /// The version; see ``StoreVersion``.
  package let version: Int64
  /// The values of the columns, borrowed for the call that passes the row.
  package let values: UnsafeBufferPointer<StoredValue>
  /// The values that are not of their types, borrowed as well; `values` lacks them.
  package let unreadable: UnsafeBufferPointer<UnreadableValue>

  package init(
    key: Int64, entity: Int, version: Int64, values: UnsafeBufferPointer<StoredValue>,
    unreadable: UnsafeBufferPointer<UnreadableValue> = UnsafeBufferPointer(start: nil, count: 0)
  ) {
    self.key = key
    self.entity = entity
    self.version = version
    self.values = values
    self.unreadable = unreadable
  }
}

extension PersistentStore {
  package func exchangeLinks(
    _ join: Int, count: Int, link: (Int) -> (old: StoreLink, new: StoreLink)
  ) throws {
    try replaceLinks(join, (0..<count).map(link))
  }

  /// Deletes the old links, and inserts the new ones.
  package func replaceLinks(_ join: Int, _ links: [(old: StoreLink, new: StoreLink)]) throws {
    try deleteLinks(join, links.map(\.old))
    let new = links.map(\.new).filter(\.hasKeys)
    if !new.isEmpty { try insertLinks(join, count: new.count) { new[$0] } }
  }
}

/// A link of a many-to-many relationship in a store.
package struct StoreLink {
  package let source: Int64
  package let target: Int64
  /// The position of the target in the source's list.
  package let sourcePosition: Int64
  /// The position of the source in the target's list.
  package let targetPosition: Int64

  /// Whether both objects have keys: an object that others deleted has none.
  package var hasKeys: Bool { source != 0 && target != 0 }

  package init(source: Int64, target: Int64, sourcePosition: Int64, targetPosition: Int64) {
    self.source = source
    self.target = target
    self.sourcePosition = sourcePosition
    self.targetPosition = targetPosition
  }
}

/// An object in a store with its version.
package struct RowVersion {
  package let key: Int64
  package let version: Int64
}

/// A number for a column of an object in a store.
package struct RowNumber {
  package let key: Int64
  package let number: Int64
}

/// An update of an object in a store: its version, and the values of some columns.
package struct RowUpdate {
  package let key: Int64
  package let version: StoreVersion
  /// The entity's local index; nil for no change.
  package let entity: Int?
  /// The values in the order of the columns, borrowed for the call that passes the update.
  package let values: UnsafeBufferPointer<StoredValue>
}
