/// Executes a plan: reads elements from a tape and finds, makes, fills and links objects.
///
/// One importer serves one import. An object is first *resolved* (found by its identity, or made)
/// and later *filled*: objects that lead to others wait on a stack of frames, so that nesting in the
/// JSON needs no recursion here. Frames are taken in document order, each before what follows it.
package final class Importer {
  let graph: Graph
  let mapping: Mapping
  let plan: Plan
  let tape: JSONTape

  let matcher: KeyMatcher
  /// For each key path of the objects at hand, the token it led to, or -1.
  @exclusivity(unchecked) var slots = Buffer<Int32>(capacity: 256)
  @exclusivity(unchecked) var frames = Buffer<ImportFrame>()
  @exclusivity(unchecked) var members = Buffer<UInt32>()
  /// The identity of the object being resolved.
  let key: UnsafeMutablePointer<StoredValue>
  /// The identity index of each plan's entity, once it was needed.
  let indexes: UnsafeMutablePointer<UnsafeMutablePointer<IdentityIndex>?>
  /// What callbacks put on the tape in the place of other values.
  @exclusivity(unchecked) var grafts: [Graft] = []
  /// The text the elements come from; nil when they do not come from a text.
  var reader: JSONReader?
  /// Where the element stands in its source, for paths: `$` or `$[3]`.
  var elementPath = "$"
  @exclusivity(unchecked) var insertedCount = 0
  @exclusivity(unchecked) var updatedCount = 0

  init(graph: Graph, mapping: Mapping, tape: JSONTape) {
    self.graph = graph
    self.mapping = mapping
    self.plan = mapping.plan
    self.tape = tape
    matcher = KeyMatcher(plan)
    let longest = plan.identityNumbers.map(\.count).max() ?? 0
    key = .allocate(capacity: max(longest, 1))
    key.initialize(repeating: .none, count: max(longest, 1))
    indexes = .allocate(capacity: max(plan.entityCount, 1))
    indexes.initialize(repeating: nil, count: plan.entityCount)
  }

  deinit {
    matcher.deallocate()
    slots.deallocate()
    frames.deallocate()
    members.deallocate()
    key.deallocate()
    indexes.deallocate()
  }

  /// Imports the element at the start of the tape; nil when it is null.
  func importElement(into entity: Int) throws -> ObjectID? {
    grafts.removeAll(keepingCapacity: true)
    slots.removeLast(to: 0)
    frames.removeLast(to: 0)
    let row = try resolve(0, Int32(truncatingIfNeeded: entity))
    while frames.count > 0 {
      let frame = frames.start[frames.count &- 1]
      frames.removeLast(to: frames.count &- 1)
      let waiting = frames.count
      try fill(frame)
      frames.reverse(from: waiting)
    }
    guard row != 0 else { return nil }
    return graph.tables[Int(plan.entities[entity].table)].id(row &- 1)
  }
}
