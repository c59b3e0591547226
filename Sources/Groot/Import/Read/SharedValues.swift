/// The values that objects of one element share through paths from `@parent`, `@root` or `@key`.
///
/// Each value is read only once. Reading it for every object would take time and memory in
/// proportion to the product of their numbers. The values belong to one element, or to one record
/// that may be left out.
final class SharedValues {
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

  @exclusivity(unchecked) private var slots: [Int32: Slots] = [:]
  /// The positions in ``tokens`` where the tokens of each walk begin.
  @exclusivity(unchecked) private var walks: [Source: Int] = [:]
  @exclusivity(unchecked) private var tokens: [TokenIndex] = []
  @exclusivity(unchecked) private var rows: [Source: [Row]] = [:]
  /// Long values, whose texts are in the element.
  @exclusivity(unchecked) private var texts: [Source: StoredValue] = [:]
  /// The graph's copies of texts, by their position in the element.
  @exclusivity(unchecked) private var copies: [Span: UnsafePointer<UInt8>] = [:]

  /// A text in the element; a shorter text may begin at the same position.
  private struct Span: Hashable {
    let start: UnsafePointer<UInt8>
    let count: Int
  }

  /// Forgets the values but not the slots, which belong to the plan.
  func removeAll() {
    walks.removeAll(keepingCapacity: true)
    tokens.removeAll(keepingCapacity: true)
    texts.removeAll(keepingCapacity: true)
    forgetGraph()
  }

  /// Forgets objects and copies of texts, which a record that is left out may have made.
  func forgetGraph() {
    if !rows.isEmpty { rows.removeAll(keepingCapacity: true) }
    if !copies.isEmpty { copies.removeAll(keepingCapacity: true) }
  }

  /// Returns the slots below a node of an entity.
  func slots(
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

  func keep(walk source: Source, _ found: some Sequence<TokenIndex>) {
    walks[source] = tokens.count
    tokens.append(contentsOf: found)
  }

  // MARK: Objects and texts

  /// Returns the rows of a value's objects; nil before the value is read.
  func rows(_ source: Source) -> [Row]? { rows[source] }

  func keep(rows found: [Row], of source: Source) { rows[source] = found }

  /// Returns a long value, whose bytes are in the element.
  func text(_ source: Source) -> StoredValue? { texts.isEmpty ? nil : texts[source] }

  func keep(text: StoredValue, of source: Source) { texts[source] = text }

  /// Returns the graph's copy of a text in the element; nil without one.
  func copy(of text: StoredValue) -> UnsafePointer<UInt8>? {
    text.start.flatMap { copies[Span(start: $0, count: text.count)] }
  }

  func keep(copy: UnsafePointer<UInt8>, of text: StoredValue) {
    if let start = text.start { copies[Span(start: start, count: text.count)] = copy }
  }
}
