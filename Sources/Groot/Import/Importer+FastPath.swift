// The fast path for plain texts and numbers, in new objects or equal to the existing values.

extension Importer {
  /// Sets an attribute of a new object, or detects that an object already has the value.
  ///
  /// It returns false, and does nothing, in all other cases. A detour through ``StoredValue`` would
  /// write a value in small pieces and read it in large ones, for which processors stall.
  @inline(__always)
  func fillFast(
    _ step: PlanPart<StepPlan>, token: JSONToken, record: UnsafeMutableRawPointer,
    table: TableIndex, isNew: Bool
  ) -> Bool {
    let address = record + Int(step.field.offset)
    let kind = token.rawKind
    var word = token.payload
    switch step.fastFill {
    case .none: return false
    case .text:
      guard kind == JSONKind.string.rawValue,
        let start = UnsafePointer<UInt8>(bitPattern: UInt(truncatingIfNeeded: word))
      else { return false }
      let count = Int(token.size)
      if graph.hasLimits,
        !graph.limits.hold(text: UnsafeBufferPointer(start: start, count: count))
      {
        return false
      }
      guard isNew else {
        return has(step, in: record, table: table)
          && TextSlot.equals(address, other: start, count: count)
      }
      guard takesFirstValue(step, table: table) else { return false }
      TextSlot.write(start, count: count, to: address, arena: graph.text)
      graph.tables[table].setPresence(step.field, in: record, to: true)
      return true
    case .boolean:
      guard kind == JSONKind.true.rawValue || kind == JSONKind.false.rawValue else { return false }
      word = kind == JSONKind.true.rawValue ? 1 : 0
      guard isNew else {
        return has(step, in: record, table: table) && UInt64(address.load(as: UInt8.self)) == word
      }
      guard takesFirstValue(step, table: table) else { return false }
      address.storeBytes(of: UInt8(truncatingIfNeeded: word), as: UInt8.self)
      graph.tables[table].setPresence(step.field, in: record, to: true)
      return true
    case .integer: guard kind == JSONKind.integer.rawValue else { return false }
    case .real: guard kind == JSONKind.real.rawValue else { return false }
    }
    guard isNew else {
      return has(step, in: record, table: table) && address.load(as: UInt64.self) == word
    }
    guard takesFirstValue(step, table: table) else { return false }
    address.storeBytes(of: word, as: UInt64.self)
    graph.tables[table].setPresence(step.field, in: record, to: true)
    return true
  }

  @inline(__always)
  private func has(
    _ step: PlanPart<StepPlan>, in record: UnsafeRawPointer, table: TableIndex
  ) -> Bool {
    graph.tables[table].has(step.field, in: record)
  }

  /// Returns whether a new object's value can be written without an update of an index.
  @inline(__always)
  private func takesFirstValue(_ step: PlanPart<StepPlan>, table: TableIndex) -> Bool {
    graph.identityMasks[table][Int(step.field.number)] == 0
  }
}
