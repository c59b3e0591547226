// A placeholder of a key that is no identity, and an object that has come with that key since: the object
// takes the place of the placeholder in all links.

extension Importer {
  /// Has an object take over all links of a placeholder, which goes.
  func merge(_ placeholder: ObjectID, into row: Row) throws {
    let (table, old) = (placeholder.table, placeholder.row)
    try store?.prefetchDeletion([placeholder])
    try store?.read(table, row)
    let entity = graph.tables[table].header(row).pointee.entity
    for field in graph.relationshipFields(table, old) where field.belongs(to: entity) {
      let link = graph.links[field.link]
      let other = graph.destination(field)
      let far = link.isSymmetric ? field : link.field(field.side.inverse)
      let linked = field.isToMany ? graph.members(table, old, field) : target(field, old)
      for owner in linked {
        noteUpdate(other, owner)
        if far.isToMany {
          try replace(old, by: row, in: other, owner, far)
        } else if field.isToMany || target(field, row).isEmpty {
          try store?.prefetchTarget(far, owner, OptionalRow(row))
          graph.setTarget(far.link, far.side, owner, OptionalRow(row))
        }
      }
    }
    noteUpdate(table, row)
    graph.discard(placeholder)
  }

  private func target(_ field: Field, _ row: Row) -> [Row] {
    graph.target(graph.links[field.link], field.side, row).index.map { [$0] } ?? []
  }

  /// Puts an object in the place of a placeholder in a list, unless it is there, or has an owner.
  private func replace(
    _ old: Row, by row: Row, in table: TableIndex, _ owner: Row, _ field: Field
  ) throws {
    let link = graph.links[field.link]
    if link.kind == .oneToMany, !target(link.field(field.side.inverse), row).isEmpty { return }
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
