/// The number of a row in its table.
struct Row: TypedIndex {
  /// The row of a log entry that is not about a row.
  static let none = Row(rawValue: 0)

  let rawValue: UInt32
}

/// An object of a graph, by its table and row; only an id identifies one of the row's objects.
struct ObjectKey: Hashable, BitwiseCopyable, Sendable {
  let table: TableIndex
  let row: Row
}

/// The number of a node in its link table.
struct NodeIndex: TypedIndex {
  let rawValue: UInt32

  @inline(__always)
  init(rawValue: UInt32) { self.rawValue = rawValue }
  /// Makes a node index from its form in a log entry.
  @inline(__always)
  init(word: UInt64) { rawValue = UInt32(truncatingIfNeeded: word) }

  @inline(__always)
  var word: UInt64 { UInt64(rawValue) }
}

/// An entry of a to-many list: the row of a member, or a node, depending on the kind of link.
struct ListEntry: TypedIndex {
  let rawValue: UInt32

  @inline(__always)
  init(rawValue: UInt32) { self.rawValue = rawValue }
  @inline(__always)
  init(_ row: Row) { rawValue = row.rawValue }
  @inline(__always)
  init(_ node: NodeIndex) { rawValue = node.rawValue }

  @inline(__always)
  var row: Row { Row(rawValue: rawValue) }
  @inline(__always)
  var node: NodeIndex { NodeIndex(rawValue: rawValue) }
}

/// An optional index in four bytes, as in records and nodes: the number + 1, or 0.
struct OptionalIndex<Index: TypedIndex>: Hashable, BitwiseCopyable, Sendable
where Index.RawValue == UInt32 {
  let bits: UInt32

  @inline(__always)
  static var none: Self { Self(bits: 0) }

  @inline(__always)
  init(bits: UInt32) { self.bits = bits }
  @inline(__always)
  init(_ index: Index) { bits = index.rawValue &+ 1 }
  /// Makes an index from its form in the undo log or in an identity.
  @inline(__always)
  init(word: UInt64) { bits = UInt32(truncatingIfNeeded: word) }

  @inline(__always)
  var isNone: Bool { bits == 0 }
  @inline(__always)
  var index: Index? { bits == 0 ? nil : Index(rawValue: bits &- 1) }
  @inline(__always)
  var word: UInt64 { UInt64(bits) }
}

typealias OptionalRow = OptionalIndex<Row>
typealias OptionalNode = OptionalIndex<NodeIndex>
typealias OptionalEntry = OptionalIndex<ListEntry>

extension OptionalIndex where Index == ListEntry {
  @inline(__always)
  init(_ row: Row) { self.init(ListEntry(row)) }
  @inline(__always)
  init(_ node: NodeIndex) { self.init(ListEntry(node)) }
  @inline(__always)
  init(_ row: OptionalRow) { bits = row.bits }
  @inline(__always)
  init(_ node: OptionalNode) { bits = node.bits }

  @inline(__always)
  var row: OptionalRow { OptionalRow(bits: bits) }
  @inline(__always)
  var node: OptionalNode { OptionalNode(bits: bits) }
}
