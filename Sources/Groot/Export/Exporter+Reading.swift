// Prefetching from a store: objects are read in groups before they are written.

extension Exporter {
  /// The number of top-level objects that are read at a time.
  static let windowSize = 256

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
  func read(_ objects: ArraySlice<ObjectID>, from store: StoreCoordinator) throws {
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
      }
      if depth > depthLimit {
        for (number, ways) in Dictionary(grouping: level, by: \.number) {
          if let step = identifierStep(number) {
            try lead(along: step, ways, store: store) { _ in }
          }
        }
        return try readIdentities(level, store: store)
      }
      depth += 1
      var next: [Way] = []
      for (number, ways) in Dictionary(grouping: level, by: \.number).sorted(by: { $0.key < $1.key }
      ) {
        try forEachRelationship(of: number) { step in
          let taken =
            isPositional(number)
            ? ways : ways.filter { !isWayBack(step, arrivedBy: $0.arrival) }
          try lead(along: step, taken, store: store) { way in
            if seen.insert(way).inserted { next.append(way) }
          }
        }
      }
      level = next
    }
  }

  private func isPositional(_ number: PlanIndex) -> Bool {
    plan.outputRanges[Int(plan.entities[number].firstRange) + variant].isPositional
  }

  private func forEachRelationship(
    of number: PlanIndex, _ body: (PlanPart<StepPlan>) throws -> Void
  ) rethrows {
    let range = plan.outputRanges[Int(plan.entities[number].firstRange) + variant]
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
    along step: PlanPart<StepPlan>, _ ways: [Way], store: StoreCoordinator,
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
        object: object, number: planNumber(object, step: step), arrival: step.direction)
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
    try readIdentities(identified, store: store)
  }

  /// Reads the identities for stand-ins, which may include other objects' identities.
  private func readIdentities(_ ways: [Way], store: StoreCoordinator) throws {
    var level = ways
    var seen = Set(level)
    for _ in 0..<Self.maximumOwners where !level.isEmpty {
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
          object: owner.object, number: planNumber(owner.object, step: owner.step), arrival: .none)
        return seen.insert(way).inserted ? way : nil
      }
    }
  }
}
