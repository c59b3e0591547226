// Nested records with the text of an earlier one, which need not be read again.

extension Resolver {
  /// Returns whether a repetition of a nested record can be left out.
  @inline(__always)
  func takesRepeats(of entity: PlanPart<EntityPlan>, scope: Scope) -> Bool {
    repeats.isOn && entity.isRepeatable && scope.link != .none && scope.partial < 0
      && scope.unidentified != .note && scope.operations.contains(.updates)
      && !scope.operations.contains(.names)
      && !tape.hasAliases
  }

  /// Returns the content of a nested record; nil for one that is always read.
  ///
  /// The text is a part of the source, so that equal texts have the same members. After the last
  /// string only the ends of containers may follow, or the value of that key.
  @inline(__always)
  func repeatableContent(_ object: TokenIndex) -> RepeatedRecords.Content? {
    guard let source = tape.source, let sourceEnd = tape.sourceEnd else { return nil }
    let token = tape.tokens[object]
    guard token.rawKind == JSONKind.object.rawValue, token.payload > 0 else { return nil }
    let end = Int(token.size)
    var last = tape.tokens[TokenIndex(end &- 1)]
    var (kind, payload) = (UInt8(0), UInt64(0))
    if last.rawKind <= JSONKind.integer.rawValue {
      (kind, payload) = (last.rawKind &+ 1, last.payload)
      last = tape.tokens[TokenIndex(end &- 2)]
    }
    let first = tape.tokens[object.next]
    guard last.rawKind == JSONKind.string.rawValue, let start = first.bytes.baseAddress,
      let lastStart = last.bytes.baseAddress
    else { return nil }
    let stop = lastStart + Int(last.size)
    guard start >= source, stop < sourceEnd, stop >= start,
      stop - start <= RepeatedRecords.Content.maximumCount,
      // Between a key and its value no container ends, as it may between two elements.
      kind == 0 || stop[1] == Byte.colon
    else { return nil }
    return RepeatedRecords.Content(start: start, count: stop - start, kind: kind, payload: payload)
  }

  /// Takes the elements of an array that are repetitions, and appends their objects' rows.
  ///
  /// It moves the cursor to the first other element, and returns the content of that one, if its
  /// repetitions can be left out.
  func takeRepeats(
    _ cursor: inout ElementCursor, of number: PlanIndex, to rows: inout Buffer<Row>
  ) throws -> RepeatedRecords.Content? {
    while !cursor.isAtEnd {
      guard let content = repeatableContent(cursor.element) else { return nil }
      guard let row = repeats.find(content, of: number) else { return content }
      try rows.append(row)
      cursor.move(to: TokenIndex(Int(tape.tokens[cursor.element].size)))
    }
    return nil
  }

  /// Keeps a record that was read without a note, and whose object has the entity of its plan.
  ///
  /// Without an identity each record is an object of its own.
  @inline(__always)
  func noteRepeatable(
    _ content: RepeatedRecords.Content, record: MatchedRecord, row: Row, noteCount: Int
  ) {
    let entity = plan.entities + record.plan
    guard record.hasIdentity, log.noteCount == noteCount, noteCount < ImportNotes.maximumCount,
      log.issues.isEmpty,
      graph.tables[entity.table].header(row).pointee.entity == entity.localIndex,
      !graph.isPlaceholder(row, in: entity.table)
    else { return }
    repeats.note(content, of: record.plan, row: row, in: entity.table)
  }
}

/// A place among the elements of an array on the tape.
struct ElementCursor {
  private(set) var element: TokenIndex
  private(set) var position = 0
  private let count: Int

  @inline(__always)
  init(_ array: TokenIndex, on tape: JSONTape) {
    element = array.next
    count = Int(truncatingIfNeeded: tape.tokens[array].payload)
  }

  @inline(__always)
  var isAtEnd: Bool { position >= count }

  /// Moves to the next element.
  @inline(__always)
  mutating func move(to next: TokenIndex) {
    element = next
    position &+= 1
  }
}
