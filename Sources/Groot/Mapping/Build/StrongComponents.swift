/// The strongly connected components of a directed graph (Tarjan's algorithm, without recursion).
struct StrongComponents {
  /// By node, the number of its component.
  private var componentOf: [Int]

  /// Complexity: O(nodes + edges).
  init(_ edges: [[Int]]) {
    componentOf = Array(repeating: -1, count: edges.count)
    // In the order of the walk, from 1; 0 for a node that was not reached yet.
    var numberOf = Array(repeating: 0, count: edges.count)
    var lowestOf = numberOf
    var count = 0
    var open: [Int] = []
    var walk: [(node: Int, edge: Int)] = []
    for start in edges.indices where numberOf[start] == 0 {
      walk.append((start, 0))
      while let (node, edge) = walk.popLast() {
        if edge == 0 {
          count += 1
          numberOf[node] = count
          lowestOf[node] = count
          open.append(node)
        } else {
          lowestOf[node] = min(lowestOf[node], lowestOf[edges[node][edge - 1]])
        }
        if edge < edges[node].count {
          let next = edges[node][edge]
          walk.append((node, edge + 1))
          if numberOf[next] == 0 {
            walk.append((next, 0))
          }
          continue
        }
        guard lowestOf[node] == numberOf[node] else { continue }
        while let member = open.popLast() {
          componentOf[member] = node
          // No longer open: a node that leads here from outside is in another component.
          lowestOf[member] = Int.max
          if member == node { break }
        }
      }
    }
  }

  /// Returns whether two nodes lead to each other.
  func areTogether(_ one: Int, _ other: Int) -> Bool { componentOf[one] == componentOf[other] }
}
