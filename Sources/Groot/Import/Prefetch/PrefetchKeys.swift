/// The identities that some elements name, and the lists of their objects that will be filled.
struct PrefetchKeys {
  /// A list to be filled, with the identity of its object.
  private struct List {
    let plan: PlanIndex
    /// The position of the identity among those of the plan.
    let identity: Int
    let field: Field
  }

  /// The identities of each plan, in order; texts are copied.
  private var identities: [PlanIndex: [StoredValue]] = [:]
  /// The positions of identities that are not in memory, by plan.
  private var unknown: [PlanIndex: [Int]] = [:]
  private var lists: [List] = []
  private var text: TextArena

  init(_ memory: MemoryAccount) { text = TextArena(memory) }

  /// Notes a borrowed identity, and returns its position among those of its plan.
  mutating func add(
    _ key: UnsafePointer<StoredValue>, count: Int, of plan: PlanIndex, isUnknown: Bool
  ) -> Int {
    let start = identities[plan]?.count ?? 0
    for position in 0..<count {
      identities[plan, default: []].append(copy(key[position]))
    }
    if isUnknown { unknown[plan, default: []].append(start) }
    return start
  }

  private mutating func copy(_ value: StoredValue) -> StoredValue {
    guard let start = value.start, value.count > 0 else { return value }
    // Without memory for its text, an identity is not prefetched.
    guard let room = text.allocate(value.count) else { return .none }
    let bytes = room.assumingMemoryBound(to: UInt8.self)
    bytes.update(from: start, count: value.count)
    return StoredValue(bytes: UnsafeBufferPointer(start: bytes, count: value.count))
  }

  /// Notes that a list of an object will be filled.
  mutating func add(list field: Field, of plan: PlanIndex, _ identity: Int) {
    lists.append(List(plan: plan, identity: identity, field: field))
  }

  /// Reads the objects and lists that are not in memory, with few queries for each property.
  mutating func read(_ importer: Importer, store: StoreCoordinator) throws {
    defer { text.removeAll() }
    try importer.graph.memory.check()
    for (number, positions) in unknown.sortedFew(by: { $0.key < $1.key }) {
      let entity = importer.plan.entities[number]
      let table = entity.table
      let numbers = importer.plan.identityNumbers[number]
      guard
        let identity = store.identity(
          numbers, in: table, entities: entity.localIndex...entity.lastLocalIndex),
        let known = identities[number]
      else { continue }
      var parts: [StoredValue] = []
      for position in positions { parts += known[position..<position + numbers.count] }
      try store.readIdentities(table, identity: identity, parts: parts)
    }
    try readLists(importer, store: store)
  }

  private func readLists(_ importer: Importer, store: StoreCoordinator) throws {
    let byPlan = Dictionary(grouping: lists, by: \.plan).sortedFew { $0.key < $1.key }
    for (plan, lists) in byPlan {
      for (_, lists) in Dictionary(grouping: lists, by: \.field.number).sortedFew(by: {
        $0.key < $1.key
      }) {
        guard let field = lists.first?.field, let known = identities[plan] else { continue }
        var rows: [Row] = []
        for list in lists {
          let row = try known.withUnsafeBufferPointer { known in
            try known.baseAddress.map {
              try importer.resolver.finder.known(plan, key: $0 + list.identity)
            } ?? nil
          }
          if let row { rows.append(row) }
        }
        try store.prefetchLists(rows, in: importer.plan.entities[plan].table, field: field)
      }
    }
  }
}
