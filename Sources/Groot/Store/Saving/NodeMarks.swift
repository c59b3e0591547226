/// A set of nodes of a relationship, a bit for each node below a bound.
struct NodeMarks {
  private var words: [UInt64] = []

  init() {}

  /// Makes the set of some nodes.
  init(_ nodes: [NodeIndex], below count: Int) {
    for node in nodes { insert(node, below: count) }
  }

  /// Adds a node; one that is not below `count` is left out.
  mutating func insert(_ node: NodeIndex, below count: Int) {
    if words.isEmpty { words = Array(repeating: 0, count: (count + 63) / 64) }
    if node.offset >> 6 < words.count { words[node.offset >> 6] |= 1 << UInt64(node.offset & 63) }
  }

  @inline(__always)
  func contains(_ node: NodeIndex) -> Bool {
    node.offset >> 6 < words.count && words[node.offset >> 6] >> UInt64(node.offset & 63) & 1 != 0
  }
}
