/// One change to a part of the graph older than the innermost savepoint, with data for its undo.
struct UndoEntry {
  /// The kind of a change, which determines the meaning of the words.
  enum Operation: UInt8 {
    /// An attribute: presence in `flag`, the old bytes in the words.
    case value
    /// A row was taken from the free list.
    case inserted
    /// An object was deleted.
    case deleted
    /// An object newer than the savepoint was deleted: its row is freed.
    case dropped
    /// A property was marked as changed; `flag` tells whether this also marked the object.
    case changed
    /// A slot of a one-to-one link: word 0 is the old content.
    case single
    /// A one-to-many's member moved: word 0 is its old owner + 1, word 1 the entry before it.
    case member
    /// A node was taken from the free list and threaded: word 0 is its number.
    case nodeAdded
    /// A node was unthreaded: word 0 is its number, words 1 and 2 the entries before it by side.
    case nodeRemoved
    /// A node newer than the savepoint was unthreaded and freed: word 0 is its number.
    case nodeDropped
    /// A list was reordered: word 0 is the position of the old order in ``UndoLog/orders``.
    case order
    /// A placeholder became an object of another entity: word 0 is the old entity.
    case refined
    /// An object stopped being a placeholder.
    case brought
    /// A list was completed from a store; the undo makes it incomplete, as its order may be lost.
    case completed
  }

  var operation: Operation
  var flag: Bool
  /// The number of the table.
  private let tableNumber: UInt16
  /// The number of the property, or the side of the link.
  var field: UInt16
  var row: Row
  var link: LinkIndex
  var word0: UInt64
  var word1: UInt64
  var word2: UInt64

  init(
    operation: Operation, flag: Bool, table: TableIndex, field: UInt16, row: Row, link: LinkIndex,
    word0: UInt64, word1: UInt64, word2: UInt64
  ) {
    self.operation = operation
    self.flag = flag
    tableNumber = UInt16(truncatingIfNeeded: table.rawValue)
    self.field = field
    self.row = row
    self.link = link
    self.word0 = word0
    self.word1 = word1
    self.word2 = word2
  }

  var table: TableIndex { TableIndex(Int(tableNumber)) }
  /// The direction of the link, if the operation is about one.
  var side: LinkSide { LinkSide(rawValue: UInt8(truncatingIfNeeded: field)) }
}

/// The changes since the last save, oldest first, for the undo to a savepoint.
///
/// A row or node newer than the innermost savepoint (after its table's boundary) needs no entry,
/// since the undo removes it as a whole. A bulk import of new objects therefore logs very little.
struct UndoLog {
  private(set) var entries: UnsafeMutablePointer<UndoEntry>
  private(set) var count = 0
  private static let initialCapacity = 64
  private(set) var capacity = Self.initialCapacity
  private let memory: Memory
  /// The old orders of lists.
  var orders = ListOrders()

  init(_ account: MemoryAccount?) {
    memory = Memory(account)
    entries = memory.allocateFew(UndoEntry.self, count: capacity)
  }

  func deallocate() { memory.release(entries, count: capacity) }

  /// Reserves the given number of entries; returns false without memory.
  ///
  /// A change without memory for its undo must not be made, so its entries are reserved first.
  @inline(__always)
  mutating func reserve(_ additional: Int) -> Bool {
    count &+ additional <= capacity || grow(additional)
  }

  /// Adds an entry in reserved memory.
  mutating func append(
    _ operation: UndoEntry.Operation, table: TableIndex, row: Row, field: UInt16 = 0,
    link: LinkIndex = .none,
    flag: Bool = false, _ word0: UInt64 = 0, _ word1: UInt64 = 0, _ word2: UInt64 = 0
  ) {
    guard reserve(1) else { return }
    (entries + count).initialize(
      to: UndoEntry(
        operation: operation, flag: flag, table: table, field: field,
        row: row, link: link, word0: word0, word1: word1, word2: word2))
    count += 1
  }

  @inline(never)
  private mutating func grow(_ additional: Int) -> Bool {
    let wanted = max(capacity * 2, count + additional)
    guard let larger = memory.resize(entries, from: capacity, to: wanted) else { return false }
    entries = larger
    capacity = wanted
    return true
  }

  mutating func removeLast(to count: Int) {
    self.count = count
    if count == 0 {
      orders = ListOrders()
      if capacity > 65_536 {
        memory.release(entries, count: capacity)
        capacity = Self.initialCapacity
        entries = memory.allocateFew(UndoEntry.self, count: capacity)
      }
    }
  }
}

/// A state of the graph that can be restored.
struct Savepoint {
  let logCount: Int
  private(set) var rowCounts: [Row]
  private(set) var nodeCounts: [NodeIndex]
  private(set) var text: TextArena.Mark

  init(logCount: Int, rowCounts: [Row], nodeCounts: [NodeIndex], text: TextArena.Mark) {
    self.logCount = logCount
    self.rowCounts = rowCounts
    self.nodeCounts = nodeCounts
    self.text = text
  }

  /// Makes the rows and nodes of a later savepoint count as older; the log has the exceptions.
  mutating func raiseCounts(to other: Savepoint) {
    rowCounts = other.rowCounts
    nodeCounts = other.nodeCounts
  }

  /// Makes the first nodes of a relationship count as older; the log has the exceptions.
  mutating func raiseCount(of link: LinkIndex, to count: NodeIndex) { nodeCounts[link] = count }

  /// Keeps the text of a later savepoint.
  mutating func raiseText(to other: Savepoint) { text = other.text }
}
