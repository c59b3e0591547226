/// A predicate in the form that is executed on records: a flat list in pre-order.
///
/// It owns the memory that its nodes point to. Executing it allocates only the pages of known
/// results.
final class PredicateProgram {
  /// One step of the program; its child nodes follow, up to `end`.
  struct Node {
    enum Kind: UInt8 {
      case never, always, and, or, not, hasValue, compare, isOne, text, any, count
    }

    var kind: Kind
    var comparison = Predicate.Comparison.equal
    var ignoresCase = false
    /// The position after the last node below this one.
    var end: Int32 = 0
    var path = PropertyPath.Flat.none
    /// The operands, sorted.
    var operands = UnsafeBufferPointer<StoredValue>(start: nil, count: 0)
    /// The pattern that text is compared with.
    var pattern: Unmanaged<TextPattern>?
    /// The results for the records of the condition if several objects lead to one; for an `any`,
    /// for its members.
    var answers: UnsafeMutablePointer<KnownAnswers>?
    /// For an `any` after a to-one, the results for the owners.
    var owners: UnsafeMutablePointer<KnownAnswers>?
    /// The operand of a count.
    var number: Int64 = 0
  }

  let graph: Graph
  private let paths = PropertyPath.FlatStorage()
  private var operandBlocks: [UnsafeMutableBufferPointer<StoredValue>] = []
  private var textBlocks: [UnsafeMutableBufferPointer<UInt8>] = []
  private var patterns: [TextPattern] = []
  private var known: [UnsafeMutablePointer<KnownAnswers>] = []
  private(set) var nodes: UnsafeMutablePointer<Node>
  /// The number of evaluated conditions, for checks.
  var askedCount = 0
  /// Whether the call was cancelled, which ends the evaluation.
  var isCancelled = false

  init(_ predicate: Predicate, graph: Graph) {
    self.graph = graph
    nodes = .allocate(capacity: 1)
    var drafts: [Node] = []
    add(predicate, drafts: &drafts)
    nodes.deallocate()
    nodes = .allocate(capacity: drafts.count)
    nodes.initialize(from: drafts, count: drafts.count)
  }

  deinit {
    nodes.deallocate()
    for block in operandBlocks { block.deallocate() }
    for block in textBlocks { block.deallocate() }
    for answers in known {
      answers.pointee.deallocate()
      answers.deallocate()
    }
  }

  // MARK: Compiling

  private func add(_ predicate: Predicate, drafts: inout [Node]) {
    let index = drafts.count
    switch predicate {
    case .constant(let isTrue): drafts.append(Node(kind: isTrue ? .always : .never))
    case .and(let parts):
      drafts.append(Node(kind: .and))
      for part in parts { add(part, drafts: &drafts) }
    case .or(let parts):
      drafts.append(Node(kind: .or))
      for part in parts { add(part, drafts: &drafts) }
    case .not(let part):
      drafts.append(Node(kind: .not))
      add(part, drafts: &drafts)
    case .hasValue(let path): drafts.append(Node(kind: .hasValue, path: paths.flat(path)))
    case .compare(let path, let comparison, let value, let ignoresCase):
      drafts.append(
        Node(
          kind: .compare, comparison: comparison, ignoresCase: ignoresCase, path: paths.flat(path),
          operands: store([value], path: path, ignoresCase: ignoresCase),
          answers: answersAfterToOne(path)))
    case .isOne(let path, let values, let ignoresCase):
      drafts.append(
        Node(
          kind: .isOne, ignoresCase: ignoresCase, path: paths.flat(path),
          operands: store(values, path: path, ignoresCase: ignoresCase),
          answers: answersAfterToOne(path)))
    case .text(let path, let match, let text, let ignoresCase):
      var text = text
      let pattern = text.withUTF8 { TextPattern(match, text: $0, ignoresCase: ignoresCase) }
      patterns.append(pattern)
      drafts.append(
        Node(
          kind: .text, path: paths.flat(path), pattern: .passUnretained(pattern),
          answers: answersAfterToOne(path)))
    case .any(let path, let part):
      // A member of a one-to-many has one owner, for which the condition is evaluated once.
      let isShared = graph.links[path.property.field.link].kind != .oneToMany
      drafts.append(
        Node(
          kind: .any, path: paths.flat(path),
          answers: isShared ? answers(graph.destination(path.property.field)) : nil,
          owners: answersAfterToOne(path)))
      add(part, drafts: &drafts)
    case .count(let path, let comparison, let number):
      drafts.append(
        Node(kind: .count, comparison: comparison, path: paths.flat(path), number: number))
    }
    drafts[index].end = Int32(truncatingIfNeeded: drafts.count)
  }

  /// Keeps operands in the form of records, sorted.
  private func store(
    _ values: [Value], path: PropertyPath, ignoresCase: Bool
  ) -> UnsafeBufferPointer<StoredValue> {
    let type = path.property.field.type
    var stored = values.map { $0.withStored(type) { keep($0) } }
    stored.sort { $0.order($1, as: type, ignoresCase: ignoresCase) < 0 }
    let block = UnsafeMutableBufferPointer<StoredValue>.allocate(capacity: stored.count)
    _ = block.initialize(from: stored)
    operandBlocks.append(block)
    return UnsafeBufferPointer(block)
  }

  /// Makes room for the results for the records at the end of a path's steps; nil without steps.
  private func answersAfterToOne(
    _ path: PropertyPath
  ) -> UnsafeMutablePointer<KnownAnswers>? {
    path.steps.last.map { answers(graph.destination($0.field)) }
  }

  private func answers(_ table: TableIndex) -> UnsafeMutablePointer<KnownAnswers> {
    let answers = UnsafeMutablePointer<KnownAnswers>.allocate(capacity: 1)
    answers.initialize(to: KnownAnswers(rowCount: graph.tables[table].count.rawValue))
    known.append(answers)
    return answers
  }

  private func keep(_ value: StoredValue) -> StoredValue {
    guard value.start != nil else { return value }
    let block = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: value.count)
    _ = block.initialize(from: value.bytes)
    textBlocks.append(block)
    return StoredValue(bytes: UnsafeBufferPointer(block))
  }
}

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
