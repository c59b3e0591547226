/// A link of a many-to-many relationship, threaded into the list of each side.
struct LinkNode {
  var rows: (Row, Row)
  var next: (OptionalNode, OptionalNode)
  var previous: (OptionalNode, OptionalNode)

  /// The content of `previous.0` while a node is in no list.
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

/// The owner of a member of a one-to-many list and its neighbours there.
struct MemberSlot {
  static let free = MemberSlot(owner: .none, next: .none, previous: .none)

  var owner: OptionalRow
  var next: OptionalRow
  var previous: OptionalRow
}

/// The first and last entry and the number of entries of a list that starts in a record.
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

  private var segments: UnsafeMutablePointer<UnsafeMutablePointer<LinkNode>>
  private var segmentCount = 0
  private var segmentCapacity = 8
  private let memory: Memory

  /// How many nodes there may be: numbers + 1 have 32 bits.
  var maximumCount = UInt32.max - 1
  /// Nodes below this number are in use or free.
  private(set) var count = NodeIndex(rawValue: 0)
  /// Nodes from here on are newer than the innermost savepoint.
  var boundary = NodeIndex(rawValue: 0)
  /// The nodes that are in use or free.
  var nodes: Range<NodeIndex> { NodeIndex(rawValue: 0)..<count }
  /// The first of the free nodes, chained through their `next.0`.
  private var firstFree = OptionalNode.none
  /// Finds a link by its two rows; made when lists first are too long to be searched.
  var pairs: PairIndex?

  init(_ account: MemoryAccount?) {
    memory = Memory(account)
    segments = memory.allocateFew(UnsafeMutablePointer<LinkNode>.self, count: segmentCapacity)
  }

  func deallocate() {
    for index in 0..<segmentCount { memory.release(segments[index], count: Self.segmentSize) }
    memory.release(segments, count: segmentCapacity)
    pairs?.deallocate()
  }

  @inline(__always)
  func node(_ number: NodeIndex) -> UnsafeMutablePointer<LinkNode> {
    segments[Int(number.rawValue &>> Self.segmentShift)] + Int(number.rawValue & Self.segmentMask)
  }

  /// Takes a free node or a new one; nil when there are 2^32 - 2 already, or no memory for it.
  @inline(__always)
  mutating func insert(_ left: Row, _ right: Row) -> (number: NodeIndex, isNew: Bool)? {
    let number: NodeIndex
    var isNew = true
    if let free = firstFree.index {
      number = free
      firstFree = node(number).pointee.next.0
      isNew = false
    } else {
      guard count.rawValue < maximumCount else { return nil }
      number = count
      if Int(number.rawValue &>> Self.segmentShift) >= segmentCount, !addSegment() { return nil }
      count = count.advanced(by: 1)
    }
    node(number).initialize(
      to: LinkNode(rows: (left, right), next: (.none, .none), previous: (.none, .none)))
    return (number, isNew)
  }

  /// Makes sure that there is memory for more nodes; false without.
  mutating func reserve(_ additional: Int) -> Bool {
    while segmentCount << Int(Self.segmentShift) < count.offset + additional {
      if !addSegment() { return false }
    }
    return true
  }

  /// False without memory for it.
  @inline(never)
  private mutating func addSegment() -> Bool {
    if segmentCount == segmentCapacity {
      guard let larger = memory.resize(segments, from: segmentCapacity, to: segmentCapacity * 2)
      else { return false }
      segments = larger
      segmentCapacity *= 2
    }
    guard let segment = memory.allocate(LinkNode.self, count: Self.segmentSize) else {
      return false
    }
    segments[segmentCount] = segment
    segmentCount += 1
    return true
  }

  // MARK: The index

  /// Makes the index; without memory for it lists are searched, however long they are.
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

  /// Gives up a node that is in no list.
  mutating func release(_ number: NodeIndex) {
    node(number).pointee.next.0 = firstFree
    node(number).pointee.previous.0 = LinkNode.unthreaded
    firstFree = OptionalNode(number)
  }

  /// Drops all nodes from `first` on, which must be in no list.
  mutating func removeNodes(from first: NodeIndex) { count = first }

  /// Puts a node into a list, after `previous`, or to the front.
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

  /// Takes a node out of a list.
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
