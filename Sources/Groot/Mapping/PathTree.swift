/// Paths that are written in one object, to tell which cannot be written beside each other.
struct PathTree {
  private struct Edge: Hashable {
    let node: Int
    let key: Name
  }

  /// A key on the way of some path.
  private struct Node {
    /// The first path that goes through the key or ends there.
    let first: Int
    /// The path that ends there; nil when none does.
    var end: Int?
  }

  private var nodes: [Node] = []
  private var children: [Edge: Int] = [:]

  /// The path added first of those that end inside of this one, or that this one ends inside of.
  ///
  /// Complexity: O(keys of the path), whatever was added.
  func conflict(with path: JSONKeyPath) -> Int? {
    var node = -1
    for segment in path.segments {
      guard let child = children[Edge(node: node, key: Name(segment))] else { return nil }
      if let end = nodes[child].end { return end }
      node = child
    }
    return nodes.indices.contains(node) ? nodes[node].first : nil
  }

  /// Whether one of these ends on the way to a path, before its last key.
  ///
  /// Complexity: O(keys of the path), whatever was added.
  func leads(to path: JSONKeyPath) -> Bool {
    var node = -1
    for segment in path.segments.dropLast() {
      guard let child = children[Edge(node: node, key: Name(segment))] else { return false }
      if nodes[child].end != nil { return true }
      node = child
    }
    return false
  }

  /// Adds a path under a number.
  mutating func insert(_ path: JSONKeyPath, number: Int) {
    var node = -1
    for segment in path.segments {
      let edge = Edge(node: node, key: Name(segment))
      if let child = children[edge] {
        node = child
      } else {
        node = nodes.count
        nodes.append(Node(first: number))
        children[edge] = node
      }
    }
    if nodes.indices.contains(node), nodes[node].end == nil { nodes[node].end = number }
  }
}
