/// A place that keeps the objects of a context beyond the process.
///
/// Objects are rows with a key, which is never used again within a table, and a version, which
/// grows with each change. Values are those of the columns that the schema lists, in their order; a
/// reference is the key of its object. All writing happens between ``begin()`` and ``commit()``.
package protocol PersistentStore: AnyObject {
  /// Ends calls that take long when that is wanted, with ``Status/cancelled``.
  func follow(_ cancellation: Cancellation, listener: ProgressListener)
  /// Begins to read: all that is read until ``endReading()`` comes from one snapshot.
  func beginReading() throws
  func endReading()
  /// Calls `body` with every object of a table, in the order of keys.
  func readRows(_ table: TableIndex, body: (StoreRow) throws -> Void) throws
  /// Calls `body` with every link of a join, in the order of the sources' lists.
  func readLinks(_ join: Int, body: (StoreLink) throws -> Void) throws

  /// Calls `body` with the objects that have these keys, in any order.
  ///
  /// Missing keys are passed over.
  func readRows(_ table: TableIndex, keys: [Int64], body: (StoreRow) throws -> Void) throws
  /// Calls `body` with the objects that have one of some identities, in any order.
  ///
  /// - Parameters:
  ///   - identity: A position in the identities of the schema's table.
  ///   - values: One identity after another, each a value per column of it; that of a reference is
  ///     the key. No value is found where there is none.
  func readRows(
    _ table: TableIndex, identity: Int, values: UnsafeBufferPointer<StoredValue>,
    body: (StoreRow) throws -> Void
  ) throws
  /// Calls `body` with the objects whose reference column leads to one of `owners`; those of one
  /// owner in the order of their positions, then keys.
  func readMembers(
    _ table: TableIndex, column: Int, of owners: [Int64], body: (StoreRow) throws -> Void
  ) throws
  /// Calls `body` with the links whose source (side 0) or target (side 1) is one of `owners`; those
  /// of one owner in the order of its list.
  func readLinks(
    _ join: Int, side: LinkSide, of owners: [Int64], body: (StoreLink) throws -> Void
  ) throws
  /// Calls `body` with the entities of the objects that have these keys, by their local indexes.
  func readEntities(
    _ table: TableIndex, keys: [Int64], body: (_ key: Int64, _ entity: Int) throws -> Void
  ) throws
  /// Whether a table has any object.
  func hasRows(_ table: TableIndex) throws -> Bool
  /// Which of some keys a table has.
  func presentKeys(_ table: TableIndex, among keys: [Int64]) throws -> Set<Int64>
  /// A number that is another one when another connection has written.
  ///
  /// Within a read transaction, that of its snapshot.
  func dataVersion() throws -> Int64
  /// Calls `body` with the objects of a query in its order.
  ///
  /// - Returns: false when the store cannot answer the query; then `body` was not called.
  func fetch(_ query: StoreQuery, body: (StoreRow) throws -> Void) throws -> Bool
  /// How many objects a query has, whatever its limit and offset; nil when the store cannot answer
  /// it.
  func count(_ query: StoreQuery) throws -> Int?
  /// Calls `body` with the values of attributes for each object of a query in its order, or with
  /// each combination of values once.
  ///
  /// - Returns: false when the store cannot answer the query; then `body` was not called.
  func select(
    _ query: StoreQuery, paths: [PropertyPath], isDistinct: Bool,
    body: (UnsafeBufferPointer<StoredValue>) throws -> Void
  ) throws -> Bool

  /// How many statements were run so far, for tests.
  var statementCount: Int { get }

  /// The behaviour of a save where others wrote to the same object.
  var conflictPolicy: ConflictPolicy { get }

  /// Begins to write; no other process writes until ``commit()`` or ``rollBack()``.
  func begin(_ hint: WriteHint) throws
  /// Makes all that was written since ``begin()`` last.
  func commit() throws
  /// Forgets all that was written since ``begin()``.
  func rollBack()

  /// The key of the next object that is inserted into a table.
  func nextKey(_ table: TableIndex) throws -> Int64
  /// Inserts objects, which `row` gives by their number.
  ///
  /// - Throws: ``UniqueViolation`` where another object has the same identity or partner.
  func insertRows(_ table: TableIndex, count: Int, row: @escaping (Int) -> StoreRow) throws
  /// Changes an object; false when it has another version now, or is gone.
  ///
  /// - Throws: ``UniqueViolation`` where another object has the same identity or partner.
  func update(_ table: TableIndex, with update: RowUpdate) throws -> Bool
  /// Takes the values of columns away, before others get them; the version stays.
  func clear(_ table: TableIndex, key: Int64, columns: [Int]) throws
  /// Sets the position of an object among the members it is listed with.
  func setPosition(_ table: TableIndex, key: Int64, column: Int, to position: Int64) throws
  /// Deletes an object; false when it has another version now, or is gone.
  func delete(_ table: TableIndex, key: Int64, version: Int64) throws -> Bool
  /// Inserts links, which `link` gives by their number; an existing one stays as it is.
  func insertLinks(_ join: Int, count: Int, link: @escaping (Int) -> StoreLink) throws
  func deleteLink(_ join: Int, source: Int64, target: Int64) throws
  /// Sets the position of a link in the list of its source, or of its target.
  func setLinkPosition(_ join: Int, link: StoreLink, ofTarget: Bool) throws

  /// Whether a placeholder was ever written.
  func mayHavePlaceholders() throws -> Bool
  /// Notes that there may be placeholders from now on.
  func notePlaceholders() throws

  /// The position after all that were ever given in the lists of a relationship.
  func nextPosition(_ lists: StoreLists) throws -> Int64
  func setNextPosition(_ lists: StoreLists, to position: Int64) throws
}

extension PersistentStore {
  /// Begins to write, nobody knows how much.
  package func begin() throws { try begin(WriteHint()) }
}

/// The coming writes.
package struct WriteHint {
  /// How many objects and links are inserted.
  package let insertions: Int
  /// Whether nothing but that is done, and only among the new objects.
  package let isSelfContained: Bool

  package init(insertions: Int = 0, isSelfContained: Bool = false) {
    self.insertions = insertions
    self.isSelfContained = isSelfContained
  }
}

/// The lists of a relationship, in both directions.
package enum StoreLists: Hashable, Sendable {
  /// Those of members that have their positions in a column.
  case members(table: TableIndex, column: Int)
  case links(join: Int)
}

/// Two objects would have one identity, or one partner.
package struct UniqueViolation: Error {
  /// One of the two.
  package let table: TableIndex
  package let key: Int64
  package let failure: GrootError

  package init(table: TableIndex, key: Int64, failure: GrootError) {
    self.table = table
    self.key = key
    self.failure = failure
  }
}

/// The version that an object has, and the one that it gets.
///
/// Versions count what was written to an object. That of a placeholder is negative.
package struct StoreVersion {
  package let old: Int64
  package let new: Int64

  /// - Parameter isPlaceholder: Whether it is one then; nil when it stays what it is.
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
  /// See ``StoreVersion``.
  package let version: Int64
  /// The columns' values; borrowed for the call that hands the row over.
  package let values: UnsafeBufferPointer<StoredValue>

  package init(
    key: Int64, entity: Int, version: Int64, values: UnsafeBufferPointer<StoredValue>
  ) {
    self.key = key
    self.entity = entity
    self.version = version
    self.values = values
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

  package init(source: Int64, target: Int64, sourcePosition: Int64, targetPosition: Int64) {
    self.source = source
    self.target = target
    self.sourcePosition = sourcePosition
    self.targetPosition = targetPosition
  }
}

/// The values written over an object of a store: its version, and some of its columns.
package struct RowUpdate {
  package let key: Int64
  package let version: StoreVersion
  /// The entity's local index; nil leaves it as it is.
  package let entity: Int?
  package let columns: [Int]
  package let values: UnsafeBufferPointer<StoredValue>
}
