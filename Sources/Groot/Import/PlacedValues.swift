/// The values that objects of one element share through paths from `@parent`, `@root` or `@key`.
///
/// Each value is read only once. Reading it for every object would take time and memory in
/// proportion to the product of their numbers. The values belong to one element, or to one record
/// that may be left out.
struct PlacedValues {
  /// A value, and the part of the plan that reads it.
  struct Source: Hashable {
    let token: TokenIndex
    /// The position of a step, or of a node where paths begin.
    let number: Int32
  }

  /// The slots below a node where paths begin.
  struct Slots {
    let numbers: [Int32]
    /// Whether only attributes are read there, directly from the members.
    let isPlain: Bool
  }

  /// The minimum sizes of a value and a text that are read only once to save time and memory.
  static let minimumTokenCount = 64
  static let minimumLength = 64

  private var slots: [Int32: Slots] = [:]
  /// The positions in ``tokens`` where the tokens of each walk begin.
  private var walks: [Source: Int] = [:]
  private var tokens: [TokenIndex] = []
  private var rows: [Source: [Row]] = [:]
  /// Long values, whose texts are in the element.
  private var texts: [Source: StoredValue] = [:]
  /// The graph's copies of texts, by their position in the element.
  private var copies: [Span: UnsafePointer<UInt8>] = [:]

  /// A text in the element; a shorter text may begin at the same position.
  private struct Span: Hashable {
    let start: UnsafePointer<UInt8>
    let count: Int
  }

  /// Forgets the values but not the slots, which belong to the plan.
  mutating func removeAll() {
    walks.removeAll(keepingCapacity: true)
    tokens.removeAll(keepingCapacity: true)
    texts.removeAll(keepingCapacity: true)
    forgetGraph()
  }

  /// Forgets objects and copies of texts, which a record that is left out may have made.
  mutating func forgetGraph() {
    if !rows.isEmpty { rows.removeAll(keepingCapacity: true) }
    if !copies.isEmpty { copies.removeAll(keepingCapacity: true) }
  }

  /// Returns the slots below a node of an entity.
  mutating func slots(
    below node: Int32, of entity: PlanPart<EntityPlan>, in plan: Plan
  ) -> Slots {
    if let known = slots[node] { return known }
    var numbers: [Int32] = []
    var waiting = [node]
    while let next = waiting.popLast() {
      let parent = plan.nodes + Int(next)
      for child in parent.firstChild..<parent.firstChild + parent.childCount {
        let found = plan.nodes + Int(child)
        for position in 0..<found.slotCount {
          numbers.append(plan.slots[Int(found.firstSlot + position)])
        }
        if found.innerSlot >= 0 { numbers.append(found.innerSlot) }
        waiting.append(child)
      }
    }
    let isPlain = numbers.allSatisfy { $0 < entity.attributeSlots }
    let made = Slots(numbers: numbers, isPlain: isPlain)
    slots[node] = made
    return made
  }

  // MARK: Walks

  /// Returns the tokens of an earlier walk, one for each slot; nil without one.
  func walk(_ source: Source, _ slots: Slots) -> ArraySlice<TokenIndex>? {
    walks[source].map { tokens[$0..<$0 + slots.numbers.count] }
  }

  mutating func keep(walk source: Source, _ found: some Sequence<TokenIndex>) {
    walks[source] = tokens.count
    tokens.append(contentsOf: found)
  }

  // MARK: Objects and texts

  /// Returns the rows of a value's objects; nil before the value is read.
  func rows(_ source: Source) -> [Row]? { rows[source] }

  mutating func keep(rows found: [Row], of source: Source) { rows[source] = found }

  /// Returns a long value, whose bytes are in the element.
  func text(_ source: Source) -> StoredValue? { texts.isEmpty ? nil : texts[source] }

  mutating func keep(text: StoredValue, of source: Source) { texts[source] = text }

  /// Returns the graph's copy of a text in the element; nil without one.
  func copy(of text: StoredValue) -> UnsafePointer<UInt8>? {
    text.start.flatMap { copies[Span(start: $0, count: text.count)] }
  }

  mutating func keep(copy: UnsafePointer<UInt8>, of text: StoredValue) {
    if let start = text.start { copies[Span(start: start, count: text.count)] = copy }
  }
}

extension Importer {
  /// Notes the values of the paths that begin at an enclosing object or at the document.
  func matchPlace(
    _ start: TokenIndex, under node: Int32, entity: PlanPart<EntityPlan>, base: Int
  ) throws {
    let below = placed.slots(below: node, of: entity, in: plan)
    let isShort =
      below.isPlain
      && start.distance(to: tape.end(of: start)) <= PlacedValues.minimumTokenCount
    if isShort { return try descend(start, node: node, base: base, entity: entity) }
    let source = PlacedValues.Source(token: start, number: node)
    if let walk = placed.walk(source, below) {
      for (slot, token) in zip(below.numbers, walk) { slots.start[base + Int(slot)] = token }
      return
    }
    try descend(start, node: node, base: base, entity: entity)
    placed.keep(walk: source, below.numbers.lazy.map { self.slots.start[base + Int($0)] })
  }

  /// Returns the position of a step in the plan.
  func number(_ step: PlanPart<StepPlan>) -> Int32 {
    Int32(truncatingIfNeeded: step - steps)
  }

  /// Does the same as ``resolve(_:entity:scope:)`` for a value that other objects may share.
  @inline(never)
  func resolvePlaced(
    _ token: TokenIndex, step: PlanPart<StepPlan>, scope: Scope
  ) throws -> OptionalRow {
    let source = PlacedValues.Source(token: token, number: number(step))
    if let rows = placed.rows(source) { return rows.first.map { OptionalRow($0) } ?? .none }
    let found = try resolve(token, entity: step.destination, scope: scope)
    placed.keep(rows: found.index.map { [$0] } ?? [], of: source)
    return found
  }

  /// Does the same as ``resolveMembers(_:of:step:scope:)`` for a list that other objects may share.
  @inline(never)
  func resolvePlacedMembers(
    _ token: TokenIndex, of frame: ImportFrame, step: PlanPart<StepPlan>, scope: Scope
  ) throws {
    let source = PlacedValues.Source(token: token, number: number(step))
    if let rows = placed.rows(source) {
      for row in rows { try members.append(row) }
      return
    }
    let first = members.count
    try resolveMembers(token, of: frame, step: step, scope: scope)
    placed.keep(rows: (first..<members.count).map { members.start[$0] }, of: source)
  }

  /// Returns a long text that was read for another object; nil without one.
  func knownText(_ step: PlanPart<StepPlan>, token: TokenIndex) -> StoredValue? {
    placed.text(PlacedValues.Source(token: token, number: number(step)))
  }

  /// Notes a long text that other objects may share.
  func noteText(_ value: StoredValue, _ step: PlanPart<StepPlan>, token: TokenIndex) {
    placed.keep(text: value, of: PlacedValues.Source(token: token, number: number(step)))
  }

  /// Returns a long text in the graph's memory, shared by all objects that have it.
  @inline(never)
  func shared(
    _ value: StoredValue, _ step: PlanPart<StepPlan>, frame: ImportFrame, table: TableIndex
  ) throws -> StoredValue {
    guard let start = value.start else { return value }
    if let copy = placed.copy(of: value) {
      return StoredValue(bytes: UnsafeBufferPointer(start: copy, count: value.count))
    }
    let record = graph.tables[table].record(frame.row)
    let old = StoredValue(record, field: step.field, table: graph.tables + table)
    if let lent = old.start, old.equals(value, storage: step.field.storage) {
      placed.keep(copy: lent, of: value)
      return old
    }
    guard let room = graph.text.pointee.allocate(value.count) else { throw graph.memory.failure }
    CLibrary.copy(value.count, from: start, to: room)
    let copy = UnsafePointer(room.assumingMemoryBound(to: UInt8.self))
    placed.keep(copy: copy, of: value)
    return StoredValue(bytes: UnsafeBufferPointer(start: copy, count: value.count))
  }

  /// Writes a long text in the identity of a new object, which other identities may share.
  @inline(never)
  func writeKept(
    _ value: StoredValue, _ field: Field, to record: UnsafeMutableRawPointer, table: TableIndex
  ) {
    guard let start = value.start else { return }
    let slot = record + Int(field.offset)
    if let copy = placed.copy(of: value) {
      graph.sharesText = true
      graph.tables[table].setPresence(field, in: record, to: true)
      TextSlot.write(
        copyOf: start, count: value.count, at: UnsafeMutableRawPointer(mutating: copy), to: slot)
      return
    }
    value.write(to: record, field, table: graph.tables + table, arena: graph.text)
    if TextSlot.length(slot) == value.count, let copy = TextSlot.bytes(slot).baseAddress {
      placed.keep(copy: copy, of: value)
    }
  }
}
