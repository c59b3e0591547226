/// Finds the node of a member's key.
///
/// The records of a feed usually have their members in the same order. The matcher therefore first
/// tries the node that followed the last one in earlier records, by length and bytes. The learnt
/// order belongs to one import; the plan does not change.
struct KeyMatcher {
  private let nodes: PlanPart<KeyNode>
  private let count: Int
  /// The sibling found after each node, and then the first child found in each node; -1 for none.
  private let following: UnsafeMutablePointer<Int32>
  /// For each node, the marks of its children's keys: a key without its mark is unmapped.
  private let marks: UnsafeMutablePointer<UInt64>

  /// A place among the members of an object: before the first, or after the one of a node.
  struct Position {
    fileprivate let number: Int
  }

  init(_ plan: Plan) {
    nodes = plan.nodes
    count = plan.nodeCount
    following = .allocate(capacity: max(2 * count, 1))
    following.initialize(repeating: -1, count: 2 * count)
    marks = .allocate(capacity: max(count, 1))
    for node in 0..<count {
      let children = nodes[node].firstChild..<nodes[node].firstChild &+ nodes[node].keyCount
      marks[node] = children.reduce(0) { marks, child in
        marks | Self.mark(nodes[Int(child)].bytes, length: nodes[Int(child)].length)
      }
    }
  }

  func deallocate() {
    following.deallocate()
    marks.deallocate()
  }

  /// Returns one of 64 bits for a key, by its length, its first and its last byte.
  @inline(__always)
  private static func mark(_ bytes: UnsafePointer<UInt8>, length: UInt32) -> UInt64 {
    guard length > 0 else { return 1 }
    let ends = UInt32(bytes[0]) &+ 7 &* UInt32(bytes[Int(length &- 1)])
    return 1 &<< UInt64((ends &+ 11 &* length) & 63)
  }

  /// Returns the place before the first member of an object with the children of `parent`.
  @inline(__always)
  func beginning(of parent: Int32) -> Position { Position(number: count &+ Int(parent)) }

  /// Returns the place after the member that was found to be of a node.
  @inline(__always)
  func end(of node: Int32) -> Position { Position(number: Int(node)) }

  /// Returns the child of `parent` for the key at a place; -1 if no path leads through it.
  @inline(__always)
  func find(_ parent: Int32, at place: Position, key: JSONToken) -> Int32 {
    let guess = following[place.number]
    if guess >= 0, matches(guess, key: key) { return guess }
    if isUnmarked(key, in: parent) { return -1 }
    let found = search(parent, key: key)
    if found >= 0 { following[place.number] = found }
    return found
  }

  /// Returns the child of `parent` for a key without a known place; -1 if no path leads through it.
  @inline(__always)
  func find(_ parent: Int32, key: JSONToken) -> Int32 {
    find(parent, at: beginning(of: parent), key: key)
  }

  @inline(__always)
  private func matches(_ node: Int32, key: JSONToken) -> Bool {
    let node = nodes + Int(node)
    guard node.length == key.size, let bytes = key.bytes.baseAddress else { return false }
    return ByteComparison.areEqual(node.bytes, bytes, count: Int(key.size))
  }

  /// Returns whether a key lacks the mark that each child's key has.
  @inline(__always)
  private func isUnmarked(_ key: JSONToken, in parent: Int32) -> Bool {
    guard let bytes = key.bytes.baseAddress else { return false }
    return marks[Int(parent)] & Self.mark(bytes, length: key.size) == 0
  }

  /// Searches the children, which are sorted by length and bytes.
  @inline(never)
  private func search(_ parent: Int32, key: JSONToken) -> Int32 {
    let length = key.size
    var low = nodes[Int(parent)].firstChild
    var high = low + nodes[Int(parent)].keyCount
    while low < high {
      let middle = low + (high - low) / 2
      let node = nodes + Int(middle)
      var order = node.length == length ? 0 : node.length < length ? -1 : 1
      if order == 0, let bytes = key.bytes.baseAddress {
        order = CLibrary.compare(node.bytes, bytes, count: Int(length))
      }
      if order == 0 { return middle }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return -1
  }
}
