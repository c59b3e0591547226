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
    var path = FlatPath.none
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
  private let paths = PathStorage()
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
