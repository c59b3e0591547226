/// Reads objects from a store in groups, before they are written.
///
/// It may touch the store, which brings rows into the graph, and writes nothing.
struct ExportReader {
  /// The number of top-level objects that are read at a time.
  static let windowSize = 256

  private let rules: ExportRules
  private let graph: Graph
  private let plan: Plan
  private let store: StoreCoordinator

  /// Makes a reader; returns nil without a store.
  init?(_ rules: ExportRules, store: StoreCoordinator?) {
    guard let store else { return nil }
    self.rules = rules
    graph = rules.graph
    plan = rules.plan
    self.store = store
  }

  /// Reads the window of objects that begins at an index; returns false if none does.
  @discardableResult
  func read(_ objects: UnsafeBufferPointer<ObjectID>, at index: Int) throws -> Bool {
    guard index % Self.windowSize == 0 else { return false }
    try read(Array(objects[index..<min(index + Self.windowSize, objects.count)]))
    return true
  }

  /// A way to an object: its row, and the relationship that leads to it.
  private struct Way: Hashable {
    let object: ObjectKey
    /// The plan for writing the object.
    let number: PlanIndex
    let arrival: LinkDirection

    var table: TableIndex { object.table }
    var row: Row { object.row }
  }

  /// Reads objects and the objects of their outputs, with few queries for each step.
  func read(_ objects: [ObjectID]) throws {
    var level: [Way] = []
    for object in objects {
      let record = try graph.record(object)
      level.append(
        Way(
          object: ObjectKey(table: object.table, row: object.row),
          number: PlanIndex(of: graph.entity(record, in: object.table)), arrival: .none))
    }
    var seen = Set(level)
    var depth = 0
    while !level.isEmpty {
      for (table, ways) in Dictionary(grouping: level, by: \.table) {
        try store.read(ways.map(\.row), in: table)
        try store.requireReadable(ways.lazy.map(\.row), in: table)
      }
      if depth > rules.depthLimit {
        for (number, ways) in Dictionary(grouping: level, by: \.number) {
          if let step = identifierStep(number) {
            try lead(along: step, ways) { _ in }
          }
        }
        return try readIdentities(level)
      }
      depth += 1
      var next: [Way] = []
      for (number, ways) in Dictionary(grouping: level, by: \.number).sortedFew(by: {
        $0.key < $1.key
      }
      ) {
        try forEachRelationship(of: number) { step in
          let taken =
            isPositional(number)
            ? ways : ways.filter { !rules.isWayBack(step, arrivedBy: $0.arrival) }
          try lead(along: step, taken) { way in
            if seen.insert(way).inserted { next.append(way) }
          }
        }
      }
      level = next
    }
  }

  private func isPositional(_ number: PlanIndex) -> Bool {
    rules.outputRange(number).pointee.isPositional
  }

  private func forEachRelationship(
    of number: PlanIndex, _ body: (PlanPart<StepPlan>) throws -> Void
  ) rethrows {
    let range = rules.outputRange(number).pointee
    for position in range.first..<range.first + range.count {
      let output = plan.outputs[Int(position)]
      guard output.kind == .value, !plan.steps[Int(output.step)].destination.isNone else {
        continue
      }
      try body(plan.steps + Int(output.step))
    }
    if let step = identifierStep(number) { try body(step) }
  }

  /// Returns the to-one whose identifier replaces an entity's objects; nil without one.
  private func identifierStep(_ number: PlanIndex) -> PlanPart<StepPlan>? {
    let value = plan.entities[number].valueStep
    guard value >= 0, !plan.steps[Int(value)].destination.isNone else { return nil }
    return plan.steps + Int(value)
  }

  /// Reads the objects of a relationship.
  private func lead(
    along step: PlanPart<StepPlan>, _ ways: [Way],
    body: (Way) -> Void
  ) throws {
    let field = step.field
    let link = graph.links[field.link]
    let other = graph.destination(field)
    if field.isToMany, let table = ways.first?.table {
      try store.complete(ways.map(\.row), in: table, field: field)
    }
    var identified: [Way] = []
    func take(_ row: Row) {
      let object = ObjectKey(table: other, row: row)
      let way = Way(
        object: object, number: rules.planNumber(object, step: step), arrival: step.direction)
      let isWhole = step.partial < 0 || plan.partials[Int(step.partial)].isNested
      if step.writesIdentifiers || !isWhole { identified.append(way) } else { body(way) }
    }
    for way in ways {
      if field.isToMany {
        graph.forEachMember(of: way.row, field: field) { take($0) }
      } else {
        if let target = graph.target(link, side: field.side, row: way.row).index { take(target) }
      }
    }
    try store.read(identified.map(\.row), in: other)
    try store.requireReadable(identified.lazy.map(\.row), in: other)
    try readIdentities(identified)
  }

  /// Reads the identities for stand-ins, which may include other objects' identities.
  private func readIdentities(_ ways: [Way]) throws {
    var level = ways
    var seen = Set(level)
    for _ in 0..<StandIns.maximumOwners where !level.isEmpty {
      var owners: [(object: ObjectKey, step: PlanPart<StepPlan>)] = []
      for way in level where plan.entities[way.number].isScoped {
        let entity = plan.entities + way.number
        for position in 0..<Int(entity.identityCount) {
          let part = plan.identities[Int(entity.firstIdentity) + position]
          let step = plan.steps + Int(part)
          guard !step.destination.isNone else { continue }
          let field = step.field
          let target = graph.target(graph.links[field.link], side: field.side, row: way.row).index
          if let target {
            owners.append((ObjectKey(table: graph.destination(field), row: target), step))
          }
        }
      }
      for (table, owners) in Dictionary(grouping: owners, by: \.object.table) {
        try store.read(owners.map(\.object.row), in: table)
      }
      level = owners.compactMap { owner in
        let way = Way(
          object: owner.object, number: rules.planNumber(owner.object, step: owner.step),
          arrival: .none)
        return seen.insert(way).inserted ? way : nil
      }
    }
  }
}
