// Reading the rows and lists that a change touches. A row must be read before its values or to-ones
// are read or set. A list must be complete before it is replaced or searched.

extension StoreCoordinator {
  /// Reads the rows and lists that setting a to-one touches.
  func prefetchTarget(_ field: Field, row: Row, target: OptionalRow) throws {
    let link = graph.links[field.link]
    try read(row, in: link.table(field.side))
    guard link.kind == .oneToOne else {
      if orderNeed != .none { try prefetchOwners(link, members: [row], target: target) }
      return
    }
    let far = link.isSymmetric ? field.side : field.side.inverse
    // Both objects may lose their partners.
    if let old = graph.slot(link, side: field.side, row: row).pointee.index {
      try read(old, in: link.table(far))
    }
    guard let target = target.index else { return }
    try read(target, in: link.table(far))
    if let rival = graph.slot(link, side: far, row: target).pointee.index {
      try read(rival, in: link.table(field.side))
    }
  }

  /// Completes a list before it is replaced, searched or counted.
  func prefetchList(_ row: Row, in table: TableIndex, field: Field) throws {
    try complete(row, in: table, field: field)
    try completeTwins([row], in: table, field: field)
  }

  /// Completes the lists of many objects before they are replaced, searched or counted.
  func prefetchLists(_ rows: [Row], in table: TableIndex, field: Field) throws {
    try complete(rows, in: table, field: field)
    try completeTwins(rows, in: table, field: field)
  }

  /// Reads the rows and lists that adding or removing a member touches.
  func prefetchMember(_ field: Field, member: Row) throws {
    let link = graph.links[field.link]
    let table = link.table(field.side.inverse)
    if link.kind == .oneToMany { try read(member, in: table) }
    if link.isSymmetric {
      try complete(member, in: table, field: field)
    } else if link.kind == .manyToMany, needsOrder(link, side: field.side.inverse) {
      try complete(member, in: table, field: link.field(field.side.inverse))
    }
  }

  /// Completes the lists of a symmetric relationship's members, which contain the object.
  private func completeTwins(_ rows: [Row], in table: TableIndex, field: Field) throws {
    guard graph.links[field.link].isSymmetric else { return }
    try complete(
      rows.flatMap { graph.members(of: $0, field: field) }, in: table, field: field)
  }

  // MARK: Orders

  /// Returns whether the order of a list before its first change must be known.
  func needsOrder(_ link: Link, side: LinkSide) -> Bool {
    guard !link.isHidden(side) else { return false }
    return orderNeed == .all || orderNeed == .ordered && link.isOrdered(side)
  }

  /// Completes the lists that members of a one-to-many leave and join when their owner changes.
  ///
  /// The undo log has the order of a list only if all members are known.
  private func prefetchOwners(_ link: Link, members: [Row], target: OptionalRow) throws {
    guard needsOrder(link, side: .second) else { return }
    var owners: [Row] = []
    for member in members {
      let owner = graph.memberSlot(link, row: member).pointee.owner
      if let former = owner.index, owner != target { owners.append(former) }
    }
    if let next = target.index, orderNeed == .all { owners.append(next) }
    let table = link.tables.1
    let field = link.fields.1
    if owners.count == 1, let owner = owners.first {
      try complete(owner, in: table, field: field)
    } else {
      try complete(owners, in: table, field: field)
    }
  }

  // MARK: Imports

  /// Completes the lists that an import of a relationship of an existing object touches.
  func prefetchFilling(
    _ step: PlanPart<StepPlan>, table: TableIndex, row: Row, isGiven: Bool
  ) throws {
    let field = step.field
    guard field.isToMany else { return }
    guard isGiven || step.policies.missing != .keep || !field.isOptional else { return }
    try prefetchList(row, in: table, field: field)
    let (link, far) = (graph.links[field.link], field.side.inverse)
    guard link.kind == .manyToMany, !link.isSymmetric, needsOrder(link, side: far) else { return }
    let members = graph.members(of: row, field: field)
    try complete(members, in: link.table(far), field: link.field(far))
  }

  /// Completes the lists that an import of an object's members touches.
  func prefetchMembers(
    _ members: UnsafeBufferPointer<Row>, of field: Field, row: Row, isNew: Bool
  ) throws {
    let link = graph.links[field.link]
    if link.isSymmetric {
      if !isNew || orderNeed == .all {
        try complete(Array(members), in: link.table(field.side.inverse), field: field)
      }
    } else if link.kind == .oneToMany {
      if orderNeed != .none {
        try prefetchOwners(link, members: Array(members), target: OptionalRow(row))
      }
    } else if orderNeed == .all {
      try complete(
        Array(members), in: link.table(field.side.inverse), field: link.field(field.side.inverse))
    }
  }

  // MARK: Deletion

  /// Reads the linked objects of objects that will be deleted, and of those that cascades delete.
  ///
  /// Each level of cascades takes a few queries. A deletion ends links for good, so the order of
  /// the objects' lists matters only for a report of changes.
  func prefetchDeletion(_ objects: [ObjectID]) throws {
    guard !objects.isEmpty else { return }
    var level: [TableIndex: [Row]] = [:]
    var seen: [Set<Row>] = Array(repeating: [], count: graph.tableIndices.count)
    for object in objects where seen[object.table].insert(object.row).inserted {
      level[object.table, default: []].append(object.row)
    }
    while !level.isEmpty {
      var next: [TableIndex: [Row]] = [:]
      for (table, rows) in level.sortedFew(by: { $0.key < $1.key }) {
        try read(rows, in: table)
        for property in graph.model.hierarchies[table].properties
        where property.field.isRelationship {
          let having = rows.filter {
            property.field.belongs(to: graph.tables[table].header($0).pointee.entity)
          }
          let linked = try prefetchUnlinking(having, in: table, field: property.field)
          guard property.relationship?.deleteRule == .cascade else { continue }
          let other = graph.destination(property.field)
          for row in linked where seen[other].insert(row).inserted {
            next[other, default: []].append(row)
          }
        }
      }
      level = next
    }
  }

  /// Completes a relationship before all its links are ended, and returns its members.
  private func prefetchUnlinking(
    _ rows: [Row], in table: TableIndex, field: Field
  ) throws -> [Row] {
    let link = graph.links[field.link]
    if field.isToMany {
      try complete(rows, in: table, field: field)
      try completeTwins(rows, in: table, field: field)
      let members = rows.flatMap { graph.members(of: $0, field: field) }
      if link.kind == .manyToMany, orderNeed == .all {
        try complete(
          members, in: link.table(field.side.inverse), field: link.field(field.side.inverse))
      }
      return members
    }
    let targets = rows.compactMap { graph.target(link, side: field.side, row: $0).index }
    if link.kind == .oneToOne { try read(targets, in: graph.destination(field)) }
    if link.kind == .oneToMany, orderNeed == .all {
      try prefetchOwners(link, members: rows, target: .none)
    }
    return targets
  }

  // MARK: Validation

  /// Completes the lists whose members validation counts.
  func prefetchValidation() throws {
    guard !countedLists.isEmpty else { return }
    let changed = StoreChanges(graph).updated
    for (table, property) in countedLists where !changed[table].isEmpty {
      let unsure = changed[table].filter { row in
        property.field.belongs(to: graph.tables[table].header(row).pointee.entity)
          && (property.hasCounts || graph.memberCount(of: row, field: property.field) == 0)
      }
      try complete(unsure, in: table, field: property.field)
    }
  }
}
