/// Adds the unmapped keys of records to those that objects have, after all records are read.
///
/// It sets no other value.
final class RestMerger {
  private let graph: Graph
  private let plan: Plan
  private let tape: JSONTape
  private let values: ValueReader
  private let current: CurrentElement
  private let reader: RestReader
  private let tally: ImportTally
  /// The unmapped keys that records add to those that objects already have.
  @exclusivity(unchecked) private(set) var rests: PendingRests

  init(_ matcher: RecordMatcher, reader: RestReader, _ tally: ImportTally) {
    (plan, tape, values) = (matcher.plan, matcher.tape, matcher.values)
    current = matcher.current
    self.reader = reader
    graph = tally.graph
    self.tally = tally
    rests = PendingRests(graph.memory)
  }

  deinit { rests.removeAll() }

  /// The number of additions, for returning to an earlier state.
  var count: Int { rests.count }

  /// Forgets the additions after the first `count`.
  func removeLast(to count: Int) { rests.removeLast(to: count) }

  /// Notes the addition of a record to an object's rest; other keys of the rest stay.
  ///
  /// - Returns: False, since changes are counted when rests are merged; nil if the record's rest
  ///   replaces the object's.
  func add(
    _ token: TokenIndex, of frame: ImportFrame, table: TableIndex, step: PlanPart<StepPlan>
  ) throws -> Bool? {
    let record = graph.tables[table].record(frame.row)
    let old = StoredValue(record, field: step.field, table: graph.tables + table)
    let object = ObjectKey(table: table, row: frame.row)
    let text = reader.text(token, entity: plan.entities + frame.plan)
    guard let start = old.start, old.count > 0, start.pointee == Byte.openBrace,
      text != nil
        || tape.tokens[token.isNone ? frame.token : token].kind == .object
    else { return nil }
    var value = StoredValue.none
    if let text {
      value = StoredValue(bytes: text)
    } else if !token.isNone {
      guard try values.read(step, token: token, entity: frame.plan, into: &value) == .value else {
        return nil
      }
    }
    if !token.isNone, !rests.contains(object), value.order(old, as: step.field.type) == 0 {
      return false
    }
    let taken = tape.next
    try reader.appendTaken(of: frame.token, under: plan.entities[frame.plan].root)
    try current.addSynthesized(taken, origin: frame.token)
    guard let keys = JSONWriter.canonical(tape, index: taken) else { throw tape.noRoom }
    rests.add(value.bytes, taken: keys, to: object, field: step.field)
    try graph.memory.check()
    return false
  }

  /// Sets the rests of objects to which records have added keys.
  func merge() throws {
    if rests.isEmpty { return }
    let pieces = rests.pieces
    let order = pieces.indices.sorted {
      (pieces[$0].object.table, pieces[$0].object.row, $0)
        < (pieces[$1].object.table, pieces[$1].object.row, $1)
    }
    let writer = JSONWriter(account: graph.memory)
    var next = 0
    while next < order.count {
      try graph.cancellationMark.check()
      let (object, field) = (pieces[order[next]].object, pieces[order[next]].field)
      let record = graph.tables[object.table].record(object.row)
      var tree = MergedObject.Tree(graph.memory)
      let isLive = graph.tables[object.table].isLive(object.row)
      if isLive {
        try tree.add(
          StoredValue(record, field: field, table: graph.tables + object.table).bytes)
      }
      while next < order.count, pieces[order[next]].object == object {
        if isLive {
          try tree.remove(pieces[order[next]].taken)
          try tree.add(pieces[order[next]].text)
        }
        next += 1
      }
      guard isLive else { continue }
      writer.reset()
      tree.write(writer)
      let text = try writer.finish()
      guard text.count <= graph.maximumTextLength else {
        throw GrootError(
          .limitExceeded,
          "the unmapped keys have \(text.count) bytes, and an attribute holds "
            + "\(graph.maximumTextLength)", entity: graph.entityName(record, in: object.table))
      }
      if JSONNesting.isDeeper(text, than: Value.maximumLevels) {
        throw Value.tooDeep(entity: graph.entityName(record, in: object.table))
      }
      if graph.set(object.row, in: object.table, field: field, to: StoredValue(bytes: text)) {
        tally.noteUpdate(object.row, in: object.table)
      }
    }
    rests.removeAll()
    try graph.memory.check()
  }
}
