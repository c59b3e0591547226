/// The paths that are written in one object, for finding conflicts between them.
struct KeyConflicts {
  private struct Edge: Hashable {
    let node: Int
    let segment: JSONKeyPath.Segment
  }

  /// A key in a path.
  private struct Node {
    /// The first path that goes through the key or ends there.
    let first: Int
    /// The path that ends there; nil without one.
    var end: Int?
    /// Whether paths continue with keys: true for keys, false for positions, nil if none continues.
    var isObject: Bool?
  }

  private var nodes: [Node] = []
  private var children: [Edge: Int] = [:]
  /// The first path, and whether the paths begin with keys.
  private var root: (first: Int, isObject: Bool)?

  /// Returns the first added path that conflicts with a path: one is the beginning of the other, or
  /// an object in one is an array in the other.
  ///
  /// Complexity: O(keys of the path), whatever was added.
  func conflict(with path: JSONKeyPath) -> Int? {
    var node = -1
    for segment in path.segments {
      if let other = otherShape(at: node, segment) { return other }
      guard let child = children[Edge(node: node, segment: segment)] else { return nil }
      // Lists are written whole: two cannot share their elements.
      if segment == .elements { return nodes[child].first }
      if let end = nodes[child].end { return end }
      node = child
    }
    return nodes.indices.contains(node) ? nodes[node].first : nil
  }

  private func otherShape(at node: Int, _ segment: JSONKeyPath.Segment) -> Int? {
    let isKey = segment.key != nil
    if node < 0 { return root.flatMap { $0.isObject == isKey ? nil : $0.first } }
    guard let isObject = nodes[node].isObject else { return nil }
    if segment == .elements || children[Edge(node: node, segment: .elements)] != nil {
      return nodes[node].first
    }
    return isObject == isKey ? nil : nodes[node].first
  }

  /// Returns whether one of the paths ends before the last key of a path.
  ///
  /// Complexity: O(keys of the path), whatever was added.
  func leads(to path: JSONKeyPath) -> Bool {
    var node = -1
    for segment in path.segments.dropLast() {
      guard let child = children[Edge(node: node, segment: segment)] else { return false }
      if nodes[child].end != nil { return true }
      node = child
    }
    return false
  }

  /// Adds a path under a number.
  mutating func insert(_ path: JSONKeyPath, number: Int) {
    var node = -1
    for segment in path.segments {
      let isKey = segment.key != nil
      if node < 0 {
        if root == nil { root = (number, isKey) }
      } else if nodes[node].isObject == nil {
        nodes[node].isObject = isKey
      }
      let edge = Edge(node: node, segment: segment)
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
