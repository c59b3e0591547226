// What a program is for: asking records.
//
// Each record is asked once for each condition, however many ways lead to it: what several objects
// may share, the members of a many-to-many and what stands behind a to-one, is remembered.

extension PredicateProgram {
  /// Whether the predicate holds for an object; anything once the call is cancelled.
  func holds(_ table: TableIndex, _ row: Row) -> Bool { holds(0, table, row) }

  private func holds(_ index: Int, _ table: TableIndex, _ row: Row) -> Bool {
    askedCount &+= 1
    if askedCount & 1023 == 0 && graph.cancellation.isWanted { isCancelled = true }
    if isCancelled { return false }
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
    case .compare, .isOne, .text: return holdsForValue(node, table, row)
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

  @inline(__always)
  private func holdsForValue(
    _ node: UnsafeMutablePointer<Node>, _ table: TableIndex, _ row: Row
  ) -> Bool {
    var (table, row) = (table, row)
    guard node.pointee.path.follow(graph, &table, &row) else { return false }
    guard let answers = node.pointee.answers else { return isTrue(node, table, row) }
    return answers.pointee.answer(row) { isTrue(node, table, row) }
  }

  /// Compares the attribute of a record.
  @inline(__always)
  private func isTrue(
    _ node: UnsafeMutablePointer<Node>, _ table: TableIndex, _ row: Row
  ) -> Bool {
    let field = node.pointee.path.field
    let value = StoredValue(graph.tables[table].record(row), field, graph.tables + table)
    guard value.isPresent else { return false }
    switch node.pointee.kind {
    case .compare:
      let order = value.order(
        node.pointee.operands[0], field.type, ignoresCase: node.pointee.ignoresCase)
      return node.pointee.comparison.holds(order)
    case .isOne: return isOne(value, node)
    default:
      guard let pattern = node.pointee.pattern else { return false }
      return pattern._withUnsafeGuaranteedRef { $0.holds(value.bytes) }
    }
  }

  private func hasValue(_ node: UnsafeMutablePointer<Node>, _ table: TableIndex, _ row: Row) -> Bool {
    let field = node.pointee.path.field
    guard field.isRelationship else { return node.pointee.path.read(graph, table, row).isPresent }
    var (table, row) = (table, row)
    guard node.pointee.path.follow(graph, &table, &row) else { return false }
    return graph.target(graph.links[field.link], field.side, row).index != nil
  }

  private func holdsForAny(
    _ index: Int, _ node: UnsafeMutablePointer<Node>, _ table: TableIndex, _ row: Row
  ) -> Bool {
    var (table, row) = (table, row)
    guard node.pointee.path.follow(graph, &table, &row) else { return false }
    guard let owners = node.pointee.owners else { return hasMember(index, node, row) }
    return owners.pointee.answer(row) { hasMember(index, node, row) }
  }

  @inline(__always)
  private func hasMember(
    _ index: Int, _ node: UnsafeMutablePointer<Node>, _ row: Row
  ) -> Bool {
    let field = node.pointee.path.field
    let destination = graph.destination(field)
    guard let answers = node.pointee.answers else {
      return graph.hasMember(row, field) { holds(index &+ 1, destination, $0) }
    }
    return graph.hasMember(row, field) { member in
      answers.pointee.answer(member) { holds(index &+ 1, destination, member) }
    }
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
