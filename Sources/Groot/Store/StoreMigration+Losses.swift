// The losses of a migration: objects, values and links that the new model cannot hold.

/// A count of objects, values and links in a store.
package protocol StoreContent {
  /// Counts the objects of some entities.
  func objectCount(_ table: TableIndex, of entities: [String]) throws -> Int64
  /// Counts the objects of some entities that have a value in a column.
  func valueCount(_ table: TableIndex, column: Int, of entities: [String]) throws -> Int64
  /// Counts the links of a join.
  func linkCount(_ join: Int) throws -> Int64
}

extension StoreMigration {
  mutating func countLosses() throws {
    let kept = Set(oldEntity.compactMap { $0 })
    for (number, entity) in old.model.entities.numbered(by: EntityIndex.self)
    where !kept.contains(number) {
      let table = old.model.resolved[number].hierarchy
      note(try content.objectCount(table, of: [entity.name]), what: "object", entity: entity.name)
    }
    for (table, source) in tables.numbered(by: TableIndex.self) {
      if let source { try countValues(table, source: source) }
    }
    let joins = Set(joins.compactMap { $0?.join })
    for (number, join) in old.joins.enumerated() where !joins.contains(number) {
      let (entity, property) = name(join.entity, property: join.property, link: join.link)
      note(try content.linkCount(number), what: "link", entity: entity, property: property)
    }
  }

  private mutating func note(
    _ count: Int64, what: String, entity: String, property: String = ""
  ) {
    guard count > 0 else { return }
    losses.append(
      GrootIssue(
        .storeModel, "\(count) \(what)\(count == 1 ? "" : "s") would be lost", entity: entity,
        property: property))
  }

  private mutating func countValues(_ table: TableIndex, source: TableSource) throws {
    // By old column, the old entities whose objects keep the values.
    var keeping: [Int: Set<EntityIndex>] = [:]
    for (column, from) in zip(new.tables[table].columns, source.columns) {
      guard case .column(let position, _) = from else { continue }
      let property = new.model.hierarchies[table].properties[column.number]
      let subtree = new.model.resolved[property.entity].subtree
      let entities = source.pairs.filter {
        subtree.contains(new.model.resolved[$0.new].localIndex)
      }
      keeping[position, default: []].formUnion(entities.map(\.old))
    }
    for (position, column) in old.tables[source.table].columns.enumerated() {
      var what = "value"
      switch column.kind {
      // The order of a list is not a link.
      case .position: continue
      case .reference: what = "link"
      case .attribute: break
      }
      let losing = source.pairs.map(\.old).filter { keeping[position]?.contains($0) != true }
        .map { old.model.entities[$0].name }
      guard !losing.isEmpty else { continue }
      let (entity, property) = name(column.entity, property: column.property, link: column.link)
      note(
        try content.valueCount(source.table, column: position, of: losing), what: what,
        entity: entity, property: property)
    }
  }

  /// Returns the name of a property; for an unnamed relationship, the name of its inverse.
  private func name(
    _ entity: String, property: String, link: LinkIndex
  ) -> (entity: String, property: String) {
    guard property.isEmpty, old.model.links.indices.contains(link.offset) else {
      return (entity, property)
    }
    let side = old.model.links[link].sides.1
    let inverse = old.model.hierarchies[side.hierarchy].properties[side.number]
    return (old.model.entities[inverse.entity].name, inverse.name)
  }
}
