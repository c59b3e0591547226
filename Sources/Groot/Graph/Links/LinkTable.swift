/// A link of a many-to-many relationship, threaded into the list of each side.
struct LinkNode {
  var rows: (Row, Row)
  var next: (OptionalNode, OptionalNode)
  var previous: (OptionalNode, OptionalNode)

  /// The value of `previous.0` for a node that is not in a list.
  static let unthreaded = OptionalNode(bits: .max)

  var isThreaded: Bool { previous.0 != Self.unthreaded }

  @inline(__always)
  func row(_ side: LinkSide) -> Row { side == .first ? rows.0 : rows.1 }
  @inline(__always)
  func next(_ side: LinkSide) -> OptionalNode { side == .first ? next.0 : next.1 }
  @inline(__always)
  func previous(_ side: LinkSide) -> OptionalNode { side == .first ? previous.0 : previous.1 }
  @inline(__always)
  mutating func setNext(_ side: LinkSide, to node: OptionalNode) {
    if side == .first { next.0 = node } else { next.1 = node }
  }
  @inline(__always)
  mutating func setPrevious(_ side: LinkSide, to node: OptionalNode) {
    if side == .first { previous.0 = node } else { previous.1 = node }
  }
}

/// The owner of a member of a one-to-many list, and the neighbours in the list.
struct MemberSlot {
  static let free = MemberSlot(owner: .none, next: .none, previous: .none)

  var owner: OptionalRow
  var next: OptionalRow
  var previous: OptionalRow
}

/// The first and last entry, and the number of entries, of a list that begins in a record.
struct ListHead {
  static let empty = ListHead(first: .none, last: .none, count: 0)

  var first: OptionalEntry
  var last: OptionalEntry
  var count: UInt32
}

/// The nodes of one many-to-many relationship, in segments that never move.
struct LinkTable {
  private static let segmentShift: UInt32 = 11
  private static let segmentSize = 1 << Int(segmentShift)
  private static let segmentMask: UInt32 = (1 << segmentShift) - 1

  private var segments: Segments
  private let memory: Memory

  /// The maximum number of nodes: numbers + 1 have 32 bits.
  var maximumCount = UInt32.max - 1
  /// The upper bound of the numbers of nodes in use or free.
  private(set) var count = NodeIndex(rawValue: 0)
  /// The first number of the nodes newer than the innermost savepoint.
  var boundary = NodeIndex(rawValue: 0)
  /// The nodes that are in use or free.
  var nodes: Range<NodeIndex> { NodeIndex(rawValue: 0)..<count }
  /// The first of the free nodes, chained through their `next.0`.
  private var firstFree = OptionalNode.none
  /// The index of the links by their two rows, made when a list is too long to be searched.
  var pairs: PairIndex?

  init(_ account: MemoryAccount?) {
    memory = Memory(account)
    segments = Segments(size: Self.segmentSize * MemoryLayout<LinkNode>.stride, account)
  }

  func deallocate() {
    segments.deallocate()
    pairs?.deallocate()
  }

  @inline(__always)
  func node(_ number: NodeIndex) -> UnsafeMutablePointer<LinkNode> {
    segments[Int(number.rawValue &>> Self.segmentShift)].assumingMemoryBound(to: LinkNode.self)
      + Int(number.rawValue & Self.segmentMask)
  }

  /// Takes a free node or a new one; returns nil after 2^32 - 2 nodes, or without memory.
  ///
  /// The node has its neighbours on both sides, which do not have it yet.
  @inline(__always)
  mutating func insert(
    _ left: Row, _ right: Row,
    after previous: (OptionalNode, OptionalNode) = (.none, .none)
  ) -> (number: NodeIndex, isNew: Bool)? {
    let number: NodeIndex
    var isNew = true
    if let free = firstFree.index {
      number = free
      firstFree = node(number).pointee.next.0
      isNew = false
    } else {
      guard count.rawValue < maximumCount else { return nil }
      number = count
      if Int(number.rawValue &>> Self.segmentShift) >= segments.count, !segments.add() {
        return nil
      }
      count = count.advanced(by: 1)
    }
    node(number).initialize(
      to: LinkNode(rows: (left, right), next: (.none, .none), previous: previous))
    return (number, isNew)
  }

  /// Whether new nodes come after all others, and no index has to know of them.
  var onlyAppends: Bool { firstFree.isNone && pairs == nil }

  /// Whether a node can be added without taking memory.
  @inline(__always)
  var hasRoom: Bool {
    count.rawValue < maximumCount
      && Int(count.rawValue &>> Self.segmentShift) < segments.count
  }

  /// Adds a node where there is room for it.
  @inline(__always)
  mutating func append(_ new: LinkNode) -> NodeIndex {
    let number = count
    node(number).initialize(to: new)
    count = count.advanced(by: 1)
    return number
  }

  /// Reserves memory for more nodes; returns false without memory.
  mutating func reserve(_ additional: Int) -> Bool {
    while segments.count << Int(Self.segmentShift) < count.offset + additional {
      if !segments.add() { return false }
    }
    return true
  }

  // MARK: The index

  /// Makes the index; without memory, lists of any length are searched.
  mutating func makePairIndex() {
    guard var made = PairIndex(minimumCount: count.offset, memory) else { return }
    for node in nodes where self.node(node).pointee.isThreaded {
      _ = made.insert(node, in: self)
    }
    pairs = made
  }

  /// Adds a node to the index, if there is one; without memory the index is dropped.
  @inline(__always)
  mutating func index(_ node: NodeIndex) {
    if pairs != nil { insertPair(node) }
  }

  private mutating func insertPair(_ node: NodeIndex) {
    guard var made = pairs else { return }
    pairs = nil
    if made.insert(node, in: self) { pairs = made } else { made.deallocate() }
  }

  /// Frees a node that is not in a list.
  mutating func release(_ number: NodeIndex) {
    node(number).pointee.next.0 = firstFree
    node(number).pointee.previous.0 = LinkNode.unthreaded
    firstFree = OptionalNode(number)
  }

  /// Removes all nodes from `first` on, which must not be in a list.
  mutating func removeNodes(from first: NodeIndex) { count = first }

  /// Makes a node that was inserted after a list's last one the last.
  @inline(__always)
  func join(_ number: NodeIndex, side: LinkSide, in head: UnsafeMutablePointer<ListHead>) {
    if let last = head.pointee.last.node.index {
      node(last).pointee.setNext(side, to: OptionalNode(number))
    } else {
      head.pointee.first = OptionalEntry(number)
    }
    head.pointee.last = OptionalEntry(number)
    head.pointee.count &+= 1
  }

  /// Threads a node into a list, after `previous` or at the front.
  @inline(__always)
  func thread(
    _ number: NodeIndex, side: LinkSide, after previous: OptionalNode,
    in head: UnsafeMutablePointer<ListHead>
  ) {
    let node = node(number)
    let before = previous.index.map { self.node($0) }
    let next = before?.pointee.next(side) ?? head.pointee.first.node
    node.pointee.setPrevious(side, to: previous)
    node.pointee.setNext(side, to: next)
    if let before {
      before.pointee.setNext(side, to: OptionalNode(number))
    } else {
      head.pointee.first = OptionalEntry(number)
    }
    if let after = next.index {
      self.node(after).pointee.setPrevious(side, to: OptionalNode(number))
    } else {
      head.pointee.last = OptionalEntry(number)
    }
    head.pointee.count &+= 1
  }

  /// Unthreads a node from a list.
  func unthread(_ number: NodeIndex, side: LinkSide, in head: UnsafeMutablePointer<ListHead>) {
    let node = node(number).pointee
    let (next, previous) = (node.next(side), node.previous(side))
    if let before = previous.index {
      self.node(before).pointee.setNext(side, to: next)
    } else {
      head.pointee.first = OptionalEntry(next)
    }
    if let after = next.index {
      self.node(after).pointee.setPrevious(side, to: previous)
    } else {
      head.pointee.last = OptionalEntry(previous)
    }
    head.pointee.count -= 1
  }
}
