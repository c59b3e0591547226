// A placeholder of a key that is no identity, and an object that has come with that key since: the object
// takes the place of the placeholder in all links.

extension Importer {
  /// Has an object take over all links of a placeholder, which goes.
  func merge(_ placeholder: ObjectID, into row: UInt32) throws {
    let (table, old) = (placeholder.table, placeholder.row)
    try store?.prefetchDeletion([placeholder])
    try store?.read(table, row)
    let entity = graph.tables[table].header(row).pointee.entity
    for field in graph.relationshipFields(table, old) where field.belongs(to: entity) {
      let link = graph.links[Int(field.link)]
      let other = graph.destination(field)
      let far = link.isSymmetric ? field : link.field(1 - field.side)
      let linked = field.isToMany ? graph.members(table, old, field) : target(field, old)
      for owner in linked {
        noteUpdate(other, owner)
        if far.isToMany {
          try replace(old, by: row, in: other, owner, far)
        } else if field.isToMany || target(field, row).isEmpty {
          try store?.prefetchTarget(far, owner, row + 1)
          graph.setTarget(Int(far.link), far.side, owner, row + 1)
        }
      }
    }
    noteUpdate(table, row)
    graph.discard(placeholder)
  }

  private func target(_ field: Field, _ row: UInt32) -> [UInt32] {
    let target = graph.target(graph.links[Int(field.link)], field.side, row)
    return target == 0 ? [] : [target - 1]
  }

  /// Puts an object in the place of a placeholder in a list, unless it is there, or has an owner.
  private func replace(
    _ old: UInt32, by row: UInt32, in table: Int, _ owner: UInt32, _ field: Field
  ) throws {
    let link = graph.links[Int(field.link)]
    if link.kind == .oneToMany, !target(link.field(1 - field.side), row).isEmpty { return }
    try store?.prefetchList(table, owner, field)
    try store?.prefetchMember(field, row)
    let members = graph.members(table, owner, field)
    let isThere = members.contains(row)
    let wanted = members.compactMap { $0 == old ? (isThere ? nil : row) : $0 }
    _ = try wanted.withUnsafeBufferPointer {
      try graph.setMembers(table, owner, field, $0, setsOrder: true)
    }
  }
}
