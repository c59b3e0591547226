@testable import Groot

/// Everything that a context holds, as text: for comparing two states exactly.
///
/// Objects by id in the order of their rows, with all attributes and the members of all
/// relationships (hidden ones included) in order, and what is marked as changed. What a store has is
/// read first.
func dump(_ context: ManagedObjectContext) -> String {
  let graph = context.graph
  try? context.coordinator?.preloadAll()
  var lines: [String] = []
  for (table, hierarchy) in context.model.hierarchies.numbered(by: TableIndex.self) {
    for row in graph.tables[table].rows where graph.tables[table].isLive(row) {
      let record = graph.tables[table].record(row)
      let entity = graph.entity(record, in: table)
      lines.append("\(context.model.entities[entity].name) \(graph.tables[table].id(row))")
      let header = record.assumingMemoryBound(to: RecordHeader.self).pointee
      lines.append("  state \(header.state)")
      for property in hierarchy.properties {
        let field = property.field
        guard field.firstEntity <= header.entity, header.entity <= field.lastEntity else {
          continue
        }
        let mark = graph.tables[table].isChanged(field.number, in: record) ? "*" : ""
        lines.append("  \(property.name)\(mark) = \(describe(property, graph, table, row))")
      }
    }
  }
  return lines.joined(separator: "\n")
}

private func describe(_ property: Property, _ graph: Graph, _ table: TableIndex, _ row: Row)
  -> String
{
  let field = property.field
  if let attribute = property.attribute {
    let record = graph.tables[table].record(row)
    return
      "\(Value(StoredValue(record, field: field, table: graph.tables + table), as: attribute.type))"
  }
  if field.isToMany { return "\(graph.members(of: row, field: field))" }
  return "\(graph.target(graph.links[field.link], side: field.side, row: row))"
}

/// Returns the report or the issues of an import, and the graph afterwards.
func outcome(_ context: ManagedObjectContext, _ body: () throws -> ImportResult) -> [String] {
  do {
    let result = try body()
    return [result.report.json.description, "\(result.map(\.id))", dump(context)]
  } catch let error as GrootError {
    return error.issues.map(\.json.description) + [dump(context)]
  } catch {
    return ["\(error)"]
  }
}
