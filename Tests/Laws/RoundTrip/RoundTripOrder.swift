@testable import Groot

/// Puts the members of unordered relationships into an order that is the same in two contexts.
struct RoundTripOrder {
  let mapping: Mapping

  func settle(_ context: ManagedObjectContext) throws {
    let graph = context.graph
    for (table, hierarchy) in mapping.model.hierarchies.numbered(by: TableIndex.self) {
      for row in graph.tables[table].rows where graph.tables[table].isLive(row) {
        let entity = graph.tables[table].header(row).pointee.entity
        for property in hierarchy.properties {
          let field = property.field
          guard let relationship = property.relationship, field.isToMany, !property.name.isEmpty,
            !relationship.isOrdered, field.belongs(to: entity)
          else { continue }
          let other = graph.destination(field)
          let members = graph.members(of: row, field: field)
            .map { (key: key(context, other, $0, 8), row: $0) }.sorted { $0.key < $1.key }
          try members.map(\.row).withUnsafeBufferPointer { sorted in
            _ = try graph.setMembers(of: row, field: field, to: sorted, setsOrder: true)
          }
        }
      }
    }
  }

  /// The identity of an object as text, or its attributes where it has none.
  private func key(
    _ context: ManagedObjectContext, _ table: TableIndex, _ row: Row, _ depth: Int
  ) -> String {
    let graph = context.graph
    let properties = mapping.model.hierarchies[table].properties
    let entity = graph.tables[table].header(row).pointee.entity
    let root = mapping.model.hierarchies[table].entities[0]
    let identity = mapping.plan.identityNumbers[root]
    let numbers =
      identity.isEmpty
      ? properties.indices.filter {
        properties[$0].attribute != nil && properties[$0].field.belongs(to: entity)
      } : identity
    return numbers.map { number in
      let field = properties[number].field
      guard field.isRelationship else { return "\(graph.value(field, table, row))" }
      guard let member = graph.target(field, row).index, depth > 0 else { return "-" }
      return key(context, graph.destination(field), member, depth - 1)
    }.joined(separator: " ")
  }
}
