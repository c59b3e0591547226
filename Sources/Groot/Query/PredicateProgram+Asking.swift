// Executing a program on records.
//
// Each condition is evaluated once for each record, regardless of the number of paths to it. The
// results are kept for records that several objects may share: the members of a many-to-many, and
// the object of a to-one.

extension PredicateProgram {
  /// Returns whether the predicate holds for an object; undefined after the call was cancelled.
  func holds(_ row: Row, in table: TableIndex) -> Bool { holds(0, table: table, row: row) }

  private func holds(_ index: Int, table: TableIndex, row: Row) -> Bool {
    askedCount &+= 1
    if askedCount & 1023 == 0 && graph.cancellationMark.isWanted { isCancelled = true }
    if isCancelled { return false }
    let node = nodes + index
    switch node.pointee.kind {
    case .never: return false
    case .always: return true
    case .not: return !holds(index &+ 1, table: table, row: row)
    case .and, .or:
      let ends = node.pointee.kind == .or
      var next = index &+ 1
      while next < Int(node.pointee.end) {
        if holds(next, table: table, row: row) == ends { return ends }
        next = Int(nodes[next].end)
      }
      return !ends
    case .compare, .isOne, .text: return holdsForValue(node, table: table, row: row)
    case .hasValue: return hasValue(node, table: table, row: row)
    case .any: return holdsForAny(index, node: node, table: table, row: row)
    case .count:
      var (table, row) = (table, row)
      let isThere = node.pointee.path.follow(graph, table: &table, row: &row)
      let count =
        isThere ? Int64(graph.memberCount(of: row, field: node.pointee.path.field)) : 0
      return node.pointee.comparison.holds(
        count < node.pointee.number ? -1 : count > node.pointee.number ? 1 : 0)
    }
  }

  @inline(__always)
  private func holdsForValue(
    _ node: UnsafeMutablePointer<Node>, table: TableIndex, row: Row
  ) -> Bool {
    var (table, row) = (table, row)
    guard node.pointee.path.follow(graph, table: &table, row: &row) else { return false }
    guard let answers = node.pointee.answers else { return isTrue(node, table: table, row: row) }
    return answers.pointee.answer(row) { isTrue(node, table: table, row: row) }
  }

  /// Compares the attribute of a record.
  @inline(__always)
  private func isTrue(
    _ node: UnsafeMutablePointer<Node>, table: TableIndex, row: Row
  ) -> Bool {
    let field = node.pointee.path.field
    let value = StoredValue(
      graph.tables[table].record(row), field: field, table: graph.tables + table)
    guard value.isPresent else { return false }
    switch node.pointee.kind {
    case .compare:
      let order = value.order(
        node.pointee.operands[0], as: field.type, ignoresCase: node.pointee.ignoresCase)
      return node.pointee.comparison.holds(order)
    case .isOne: return isOne(value, node: node)
    default:
      guard let pattern = node.pointee.pattern else { return false }
      return pattern._withUnsafeGuaranteedRef { $0.holds(value.bytes) }
    }
  }

  private func hasValue(_ node: UnsafeMutablePointer<Node>, table: TableIndex, row: Row) -> Bool {
    let field = node.pointee.path.field
    guard field.isRelationship else {
      return node.pointee.path.read(graph, table: table, row: row).isPresent
    }
    var (table, row) = (table, row)
    guard node.pointee.path.follow(graph, table: &table, row: &row) else { return false }
    return graph.target(graph.links[field.link], side: field.side, row: row).index != nil
  }

  private func holdsForAny(
    _ index: Int, node: UnsafeMutablePointer<Node>, table: TableIndex, row: Row
  ) -> Bool {
    var (table, row) = (table, row)
    guard node.pointee.path.follow(graph, table: &table, row: &row) else { return false }
    guard let owners = node.pointee.owners else { return hasMember(index, node: node, row: row) }
    return owners.pointee.answer(row) { hasMember(index, node: node, row: row) }
  }

  @inline(__always)
  private func hasMember(
    _ index: Int, node: UnsafeMutablePointer<Node>, row: Row
  ) -> Bool {
    let field = node.pointee.path.field
    let destination = graph.destination(field)
    guard let answers = node.pointee.answers else {
      return graph.hasMember(row, field: field) { holds(index &+ 1, table: destination, row: $0) }
    }
    return graph.hasMember(row, field: field) { member in
      answers.pointee.answer(member) { holds(index &+ 1, table: destination, row: member) }
    }
  }

  /// Searches the sorted operands.
  private func isOne(_ value: StoredValue, node: UnsafeMutablePointer<Node>) -> Bool {
    var (low, high) = (0, node.pointee.operands.count)
    while low < high {
      let middle = (low &+ high) / 2
      let order = value.order(
        node.pointee.operands[middle], as: node.pointee.path.field.type,
        ignoresCase: node.pointee.ignoresCase)
      if order == 0 { return true }
      if order < 0 { high = middle } else { low = middle &+ 1 }
    }
    return false
  }
}
