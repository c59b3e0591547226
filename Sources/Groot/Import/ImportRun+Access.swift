// The objects that an import came across, listed if its options ask for it.

extension ImportRun {
  /// Lists, for each entity of the import, the objects that it came across and the others.
  mutating func listAccess(_ accessed: Set<ObjectID>) throws {
    let graph = importer.graph
    let model = graph.model
    let met = Set(
      accessed.compactMap { object in
        (try? graph.record(object)).map { graph.entity($0, in: object.table) }
      })
    // The list of an ancestor includes the objects of its descendants.
    let candidates = met.union(entities)
    for entity in met.sorted() where !entities.contains(entity) {
      let resolved = model.resolved[entity]
      let isListed = candidates.contains { other in
        other != entity && model.resolved[other].hierarchy == resolved.hierarchy
          && model.resolved[other].subtree.contains(resolved.localIndex)
      }
      if !isListed { entities.append(entity) }
    }
    for entity in entities {
      let resolved = graph.model.resolved[entity]
      let table = resolved.hierarchy
      try importer.store?.readAll(table)
      var lists: (met: [ObjectID], others: [ObjectID]) = ([], [])
      var rows = (graph.tables[table].rows).filter { row in
        graph.tables[table].isLive(row)
          && resolved.subtree.contains(graph.tables[table].header(row).pointee.entity)
      }
      graph.tables[table].sortByAge(&rows)
      for row in rows {
        let id = graph.tables[table].id(row)
        if accessed.contains(id) { lists.met.append(id) } else { lists.others.append(id) }
      }
      report.accessed[resolved.name] = lists.met
      report.unaccessed[resolved.name] = lists.others
    }
  }
}
