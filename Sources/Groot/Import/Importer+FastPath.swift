#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

// Most values of most imports are plain text and numbers, for new objects or the same as before.

extension Importer {
  /// Sets an attribute of a new object, or finds that an object has the value already; false when
  /// neither is so, and nothing was done.
  ///
  /// A value on its way through ``StoredValue`` is written to memory in small pieces and read in
  /// large ones at once, which processors wait for.
  @inline(__always)
  func fillFast(
    _ step: UnsafeMutablePointer<StepPlan>, _ token: JSONToken, _ record: UnsafeMutableRawPointer,
    _ table: TableIndex, _ isNew: Bool
  ) -> Bool {
    let place = record + Int(step.pointee.field.offset)
    let kind = token.rawKind
    var word = token.payload
    switch step.pointee.fastFill {
    case .none: return false
    case .text:
      guard kind == JSONKind.string.rawValue,
        let start = UnsafePointer<UInt8>(bitPattern: UInt(truncatingIfNeeded: word))
      else { return false }
      let count = Int(token.size)
      guard isNew else {
        return has(step, record, table) && TextSlot.equals(place, start, count)
      }
      guard takesFirstValue(step, table) else { return false }
      TextSlot.write(start, count, to: place, graph.text)
      graph.tables[table].setPresence(step.pointee.field, record, true)
      return true
    case .boolean:
      guard kind == JSONKind.true.rawValue || kind == JSONKind.false.rawValue else { return false }
      word = kind == JSONKind.true.rawValue ? 1 : 0
      guard isNew else {
        return has(step, record, table) && UInt64(place.load(as: UInt8.self)) == word
      }
      guard takesFirstValue(step, table) else { return false }
      place.storeBytes(of: UInt8(truncatingIfNeeded: word), as: UInt8.self)
      graph.tables[table].setPresence(step.pointee.field, record, true)
      return true
    case .integer: guard kind == JSONKind.integer.rawValue else { return false }
    case .real: guard kind == JSONKind.real.rawValue else { return false }
    }
    guard isNew else { return has(step, record, table) && place.load(as: UInt64.self) == word }
    guard takesFirstValue(step, table) else { return false }
    place.storeBytes(of: word, as: UInt64.self)
    graph.tables[table].setPresence(step.pointee.field, record, true)
    return true
  }

  @inline(__always)
  private func has(
    _ step: UnsafeMutablePointer<StepPlan>, _ record: UnsafeRawPointer, _ table: TableIndex
  ) -> Bool {
    graph.tables[table].has(step.pointee.field, record)
  }

  /// Whether the value of a new object can be written without telling an index.
  @inline(__always)
  private func takesFirstValue(_ step: UnsafeMutablePointer<StepPlan>, _ table: TableIndex) -> Bool {
    graph.identityMasks[table][Int(step.pointee.field.number)] == 0
  }
}
