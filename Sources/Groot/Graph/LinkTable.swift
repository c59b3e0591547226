/// A link of a many-to-many relationship, threaded into the list of each side.
///
/// Numbers are those of nodes + 1, 0 for none.
struct LinkNode {
  var rows: (UInt32, UInt32)
  var next: (UInt32, UInt32)
  var previous: (UInt32, UInt32)

  /// What `previous.0` holds while a node is in no list.
  static let unthreaded = UInt32.max

  var isThreaded: Bool { previous.0 != Self.unthreaded }

  @inline(__always)
  func row(_ side: UInt8) -> UInt32 { side == 0 ? rows.0 : rows.1 }
  @inline(__always)
  func next(_ side: UInt8) -> UInt32 { side == 0 ? next.0 : next.1 }
  @inline(__always)
  func previous(_ side: UInt8) -> UInt32 { side == 0 ? previous.0 : previous.1 }
  @inline(__always)
  mutating func setNext(_ side: UInt8, _ node: UInt32) {
    if side == 0 { next.0 = node } else { next.1 = node }
  }
  @inline(__always)
  mutating func setPrevious(_ side: UInt8, _ node: UInt32) {
    if side == 0 { previous.0 = node } else { previous.1 = node }
  }
}

/// The owner of a member of a one-to-many list and its neighbours there; rows + 1, 0 for none.
struct MemberSlot {
  var owner: UInt32
  var next: UInt32
  var previous: UInt32
}

/// The first and last entry and the number of entries of a list that starts in a record.
struct ListHead {
  var first: UInt32
  var last: UInt32
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

  /// How many nodes there may be: numbers + 1 have 32 bits.
  var maximumCount = UInt32.max - 1
  /// Nodes below this number are in use or free.
  private(set) var count: UInt32 = 0
  /// Nodes from here on are newer than the innermost savepoint.
  var boundary: UInt32 = 0
  /// The first of the free nodes, chained through their `next.0`; + 1.
  private var firstFree: UInt32 = 0
  /// Finds a link by its two rows; made when lists first are too long to be searched.
  var pairs: PairIndex?

  init() { segments = .allocate(capacity: segmentCapacity) }

  func deallocate() {
    for index in 0..<segmentCount { segments[index].deallocate() }
    segments.deallocate()
    pairs?.deallocate()
  }

  @inline(__always)
  func node(_ number: UInt32) -> UnsafeMutablePointer<LinkNode> {
    segments[Int(number &>> Self.segmentShift)] + Int(number & Self.segmentMask)
  }

  /// Takes a free node or a new one; nil when there are 2^32 - 2 already.
  @inline(__always)
  mutating func insert(_ left: UInt32, _ right: UInt32) -> (number: UInt32, isNew: Bool)? {
    let number: UInt32
    var isNew = true
    if firstFree != 0 {
      number = firstFree &- 1
      firstFree = node(number).pointee.next.0
      isNew = false
    } else {
      guard count < maximumCount else { return nil }
      number = count
      if Int(number &>> Self.segmentShift) >= segmentCount { addSegment() }
      count &+= 1
    }
    node(number).initialize(to: LinkNode(rows: (left, right), next: (0, 0), previous: (0, 0)))
    return (number, isNew)
  }

  @inline(never)
  private mutating func addSegment() {
    if segmentCount == segmentCapacity {
      let larger = UnsafeMutablePointer<UnsafeMutablePointer<LinkNode>>.allocate(
        capacity: segmentCapacity * 2)
      larger.update(from: segments, count: segmentCount)
      segments.deallocate()
      segments = larger
      segmentCapacity *= 2
    }
    segments[segmentCount] = .allocate(capacity: Self.segmentSize)
    segmentCount += 1
  }

  /// Gives up a node that is in no list.
  mutating func release(_ number: UInt32) {
    node(number).pointee.next.0 = firstFree
    node(number).pointee.previous.0 = LinkNode.unthreaded
    firstFree = number + 1
  }

  /// Drops all nodes from `first` on, which must be in no list.
  mutating func removeNodes(from first: UInt32) { count = first }

  /// Puts a node into a list, behind `previous` (a number + 1; 0 for the front).
  @inline(__always)
  func thread(
    _ number: UInt32, _ side: UInt8, after previous: UInt32,
    _ head: UnsafeMutablePointer<ListHead>
  ) {
    let node = node(number)
    let next = previous == 0 ? head.pointee.first : self.node(previous &- 1).pointee.next(side)
    node.pointee.setPrevious(side, previous)
    node.pointee.setNext(side, next)
    if previous == 0 {
      head.pointee.first = number &+ 1
    } else {
      self.node(previous &- 1).pointee.setNext(side, number &+ 1)
    }
    if next == 0 {
      head.pointee.last = number &+ 1
    } else {
      self.node(next &- 1).pointee.setPrevious(side, number &+ 1)
    }
    head.pointee.count &+= 1
  }

  /// Takes a node out of a list.
  func unthread(_ number: UInt32, _ side: UInt8, _ head: UnsafeMutablePointer<ListHead>) {
    let node = node(number).pointee
    let (next, previous) = (node.next(side), node.previous(side))
    if previous == 0 {
      head.pointee.first = next
    } else {
      self.node(previous - 1).pointee.setNext(side, next)
    }
    if next == 0 {
      head.pointee.last = previous
    } else {
      self.node(next - 1).pointee.setPrevious(side, previous)
    }
    head.pointee.count -= 1
  }
}
