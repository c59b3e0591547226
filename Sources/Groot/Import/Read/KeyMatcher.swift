/// Finds the node of a member's key.
///
/// The records of a feed usually have their members in the same order. The matcher therefore first
/// tries the node that followed the last one in earlier records, by length and bytes. The learnt
/// order belongs to one import; the plan does not change.
struct KeyMatcher {
  private let nodes: PlanPart<KeyNode>
  private let count: Int
  /// The first child found in each node, and the sibling found after each node.
  private let first: UnsafeMutablePointer<Int32>
  private let next: UnsafeMutablePointer<Int32>

  init(_ plan: Plan) {
    nodes = plan.nodes
    count = plan.nodeCount
    first = .allocate(capacity: max(count, 1))
    next = .allocate(capacity: max(count, 1))
    first.initialize(repeating: -1, count: count)
    next.initialize(repeating: -1, count: count)
  }

  func deallocate() {
    first.deallocate()
    next.deallocate()
  }

  /// Returns the child of `parent` for a key; -1 if no path leads through it.
  ///
  /// `previous` is the last child found in this object, or -1.
  @inline(__always)
  func find(_ parent: Int32, after previous: Int32, key: JSONToken) -> Int32 {
    let guess = previous < 0 ? first[Int(parent)] : next[Int(previous)]
    if guess >= 0, matches(guess, key: key) { return guess }
    let found = search(parent, key: key)
    if found >= 0 {
      if previous < 0 {
        first[Int(parent)] = found
      } else {
        next[Int(previous)] = found
      }
    }
    return found
  }

  @inline(__always)
  private func matches(_ node: Int32, key: JSONToken) -> Bool {
    let node = nodes + Int(node)
    guard node.length == key.size, let bytes = key.bytes.baseAddress else { return false }
    return ByteComparison.areEqual(node.bytes, bytes, count: Int(key.size))
  }

  /// Searches the children, which are sorted by length and bytes.
  private func search(_ parent: Int32, key: JSONToken) -> Int32 {
    var low = nodes[Int(parent)].firstChild
    var high = low + nodes[Int(parent)].keyCount
    let length = key.size
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
