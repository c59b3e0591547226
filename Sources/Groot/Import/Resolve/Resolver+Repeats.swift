// Nested records with the text of an earlier one, which need not be read again.

extension Resolver {
  /// Returns the content of a nested record, if a repetition of it can be left out.
  ///
  /// The text is a part of the source, so that equal texts have the same members. After the last
  /// string only the ends of containers may follow, or the value of that key.
  @inline(__always)
  func repeatableContent(
    _ object: TokenIndex, of entity: PlanPart<EntityPlan>, scope: Scope
  ) -> RepeatedRecords.Content? {
    guard repeats.isOn, entity.isRepeatable, scope.link != .none, scope.partial < 0,
      scope.unidentified != .note, scope.operations.updates, !scope.operations.names,
      !tape.hasAliases, let source = tape.source, let sourceEnd = tape.sourceEnd
    else { return nil }
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
