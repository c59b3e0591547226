// The merge of a placeholder with the object that later came with its key: the object replaces the
// placeholder in all links.

extension Importer {
  /// Moves all links of a placeholder to an object and deletes the placeholder.
  func merge(_ placeholder: ObjectID, into row: Row) throws {
    let (table, old) = (placeholder.table, placeholder.row)
    try store?.prefetchDeletion([placeholder])
    try store?.read(row, in: table)
    let entity = graph.tables[table].header(row).pointee.entity
    for field in graph.relationshipFields(old, in: table) where field.belongs(to: entity) {
      let link = graph.links[field.link]
      let other = graph.destination(field)
      let far = link.isSymmetric ? field : link.field(field.side.inverse)
      let linked =
        field.isToMany ? graph.members(of: old, field: field) : target(field, row: old)
      for owner in linked {
        noteUpdate(owner, in: other)
        if far.isToMany {
          try replace(old, by: row, in: far, of: ObjectKey(table: other, row: owner))
        } else if field.isToMany || target(field, row: row).isEmpty {
          try store?.prefetchTarget(far, row: owner, target: OptionalRow(row))
          graph.setTarget(far.link, side: far.side, row: owner, to: OptionalRow(row))
        }
      }
    }
    noteUpdate(row, in: table)
    graph.discard(placeholder)
  }

  private func target(_ field: Field, row: Row) -> [Row] {
    graph.target(graph.links[field.link], side: field.side, row: row).index.map { [$0] } ?? []
  }

  /// Replaces a placeholder in a list by an object, unless that is in the list or has an owner.
  private func replace(
    _ old: Row, by row: Row, in field: Field, of object: ObjectKey
  ) throws {
    let (table, owner) = (object.table, object.row)
    let link = graph.links[field.link]
    if link.kind == .oneToMany, !target(link.field(field.side.inverse), row: row).isEmpty { return }
    try store?.prefetchList(owner, in: table, field: field)
    try store?.prefetchMember(field, member: row)
    let members = graph.members(of: owner, field: field)
    let isThere = members.contains(row)
    let wanted = members.compactMap { $0 == old ? (isThere ? nil : row) : $0 }
    _ = try wanted.withUnsafeBufferPointer {
      try graph.setMembers(of: owner, field: field, to: $0, setsOrder: true)
    }
  }
}
