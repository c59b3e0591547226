/// A predicate in the form that is executed on records: flat, in pre-order.
///
/// Owns what its nodes point to. Asking it allocates nothing.
final class PredicateProgram {
  /// One step of the program; the nodes below it follow, up to `end`.
  struct Node {
    enum Kind: UInt8 {
      case never, always, and, or, not, hasValue, compare, isOne, text, any, count
    }

    var kind: Kind
    var comparison = Predicate.Comparison.equal
    var match = TextMatch.contains
    var ignoresCase = false
    /// Behind the last node below this one.
    var end: Int32 = 0
    var path = FlatPath.none
    /// What is compared with, in order.
    var operands = UnsafeBufferPointer<StoredValue>(start: nil, count: 0)
    /// The number of members that a count is compared with.
    var number: Int64 = 0
  }

  private let graph: Graph
  private let paths = PathStorage()
  private var operandBlocks: [UnsafeMutableBufferPointer<StoredValue>] = []
  private var textBlocks: [UnsafeMutableBufferPointer<UInt8>] = []
  private var nodes: UnsafeMutablePointer<Node>

  init(_ predicate: Predicate, _ graph: Graph) {
    self.graph = graph
    nodes = .allocate(capacity: 1)
    var drafts: [Node] = []
    add(predicate, &drafts)
    nodes.deallocate()
    nodes = .allocate(capacity: drafts.count)
    nodes.initialize(from: drafts, count: drafts.count)
  }

  deinit {
    nodes.deallocate()
    for block in operandBlocks { block.deallocate() }
    for block in textBlocks { block.deallocate() }
  }

  // MARK: Making

  private func add(_ predicate: Predicate, _ drafts: inout [Node]) {
    let place = drafts.count
    switch predicate {
    case .constant(let isTrue): drafts.append(Node(kind: isTrue ? .always : .never))
    case .and(let parts):
      drafts.append(Node(kind: .and))
      for part in parts { add(part, &drafts) }
    case .or(let parts):
      drafts.append(Node(kind: .or))
      for part in parts { add(part, &drafts) }
    case .not(let part):
      drafts.append(Node(kind: .not))
      add(part, &drafts)
    case .hasValue(let path): drafts.append(Node(kind: .hasValue, path: paths.flat(path)))
    case .compare(let path, let comparison, let value, let ignoresCase):
      drafts.append(
        Node(
          kind: .compare, comparison: comparison, ignoresCase: ignoresCase, path: paths.flat(path),
          operands: store([value], path, ignoresCase)))
    case .isOne(let path, let values, let ignoresCase):
      drafts.append(
        Node(
          kind: .isOne, ignoresCase: ignoresCase, path: paths.flat(path),
          operands: store(values, path, ignoresCase)))
    case .text(let path, let match, let text, let ignoresCase):
      drafts.append(
        Node(
          kind: .text, match: match, ignoresCase: ignoresCase, path: paths.flat(path),
          operands: store([.string(text)], path, ignoresCase)))
    case .any(let path, let part):
      drafts.append(Node(kind: .any, path: paths.flat(path)))
      add(part, &drafts)
    case .count(let path, let comparison, let number):
      drafts.append(
        Node(kind: .count, comparison: comparison, path: paths.flat(path), number: number))
    }
    drafts[place].end = Int32(truncatingIfNeeded: drafts.count)
  }

  /// Keeps operands in the form of records, in their order.
  private func store(
    _ values: [Value], _ path: PropertyPath, _ ignoresCase: Bool
  ) -> UnsafeBufferPointer<StoredValue> {
    let type = path.property.field.type
    var stored = values.map { $0.withStored(type) { keep($0) } }
    stored.sort { $0.order($1, type, ignoresCase: ignoresCase) < 0 }
    let block = UnsafeMutableBufferPointer<StoredValue>.allocate(capacity: stored.count)
    _ = block.initialize(from: stored)
    operandBlocks.append(block)
    return UnsafeBufferPointer(block)
  }

  private func keep(_ value: StoredValue) -> StoredValue {
    guard value.start != nil else { return value }
    let block = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: value.count)
    _ = block.initialize(from: value.bytes)
    textBlocks.append(block)
    return StoredValue(bytes: UnsafeBufferPointer(block))
  }

  // MARK: Asking

  /// Whether the predicate holds for an object.
  func holds(_ table: Int, _ row: UInt32) -> Bool { holds(0, table, row) }

  private func holds(_ index: Int, _ table: Int, _ row: UInt32) -> Bool {
    let node = nodes + index
    switch node.pointee.kind {
    case .never: return false
    case .always: return true
    case .not: return !holds(index &+ 1, table, row)
    case .and, .or:
      let ends = node.pointee.kind == .or
      var next = index &+ 1
      while next < Int(node.pointee.end) {
        if holds(next, table, row) == ends { return ends }
        next = Int(nodes[next].end)
      }
      return !ends
    case .compare:
      let value = node.pointee.path.read(graph, table, row)
      guard value.isPresent else { return false }
      let order = value.order(
        node.pointee.operands[0], node.pointee.path.field.type,
        ignoresCase: node.pointee.ignoresCase)
      return node.pointee.comparison.holds(order)
    case .isOne:
      let value = node.pointee.path.read(graph, table, row)
      return value.isPresent && isOne(value, node)
    case .text:
      let value = node.pointee.path.read(graph, table, row)
      return value.isPresent
        && node.pointee.match.holds(
          value.bytes, node.pointee.operands[0].bytes, ignoresCase: node.pointee.ignoresCase)
    case .hasValue: return hasValue(node, table, row)
    case .any: return holdsForAny(index, node, table, row)
    case .count:
      var (table, row) = (table, row)
      let isThere = node.pointee.path.follow(graph, &table, &row)
      let count = isThere ? Int64(graph.memberCount(table, row, node.pointee.path.field)) : 0
      return node.pointee.comparison.holds(
        count < node.pointee.number ? -1 : count > node.pointee.number ? 1 : 0)
    }
  }

  private func hasValue(_ node: UnsafeMutablePointer<Node>, _ table: Int, _ row: UInt32) -> Bool {
    let field = node.pointee.path.field
    guard field.isRelationship else { return node.pointee.path.read(graph, table, row).isPresent }
    var (table, row) = (table, row)
    guard node.pointee.path.follow(graph, &table, &row) else { return false }
    return graph.target(graph.links[Int(field.link)], field.side, row) != 0
  }

  private func holdsForAny(
    _ index: Int, _ node: UnsafeMutablePointer<Node>, _ table: Int, _ row: UInt32
  ) -> Bool {
    var (table, row) = (table, row)
    let field = node.pointee.path.field
    guard node.pointee.path.follow(graph, &table, &row) else { return false }
    let destination = graph.destination(field)
    return graph.hasMember(row, field) { holds(index &+ 1, destination, $0) }
  }

  /// Searches the operands, which are in order.
  private func isOne(_ value: StoredValue, _ node: UnsafeMutablePointer<Node>) -> Bool {
    var (low, high) = (0, node.pointee.operands.count)
    while low < high {
      let middle = (low &+ high) / 2
      let order = value.order(
        node.pointee.operands[middle], node.pointee.path.field.type,
        ignoresCase: node.pointee.ignoresCase)
      if order == 0 { return true }
      if order < 0 { high = middle } else { low = middle &+ 1 }
    }
    return false
  }
}
