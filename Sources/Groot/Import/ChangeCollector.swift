/// Gathers what an import changes, property by property, for its report.
final class ChangeCollector {
  private let graph: Graph
  private(set) var changes: [ImportReport.Change] = []
  private var positions: [ObjectID: Int] = [:]

  init(_ graph: Graph) { self.graph = graph }

  /// Runs what may change a property, and notes its value before and after when it did.
  func watch(
    _ frame: ImportFrame, _ table: Int, _ field: Field, _ body: () throws -> Bool
  ) throws -> Bool {
    let old = frame.isNew ? JSONValue.null : value(table, frame.row, field)
    let isChanged = try body()
    let new = value(table, frame.row, field)
    if isChanged && new != old {
      let name = graph.model.hierarchies[table].properties[Int(field.number)].name
      let position = position(table, frame.row, isNew: frame.isNew)
      changes[position].properties.append((name, old, new))
    }
    return isChanged
  }

  /// Notes that an object was made.
  func insert(_ table: Int, _ row: UInt32) { _ = position(table, row, isNew: true) }

  /// Forgets the changes noted since there were `count`.
  func removeLast(to count: Int) {
    for change in changes[count...] { positions[change.object] = nil }
    changes.removeSubrange(count...)
  }

  private func position(_ table: Int, _ row: UInt32, isNew: Bool) -> Int {
    let id = graph.tables[table].id(row)
    if let position = positions[id] { return position }
    positions[id] = changes.count
    changes.append(
      ImportReport.Change(
        object: id, entity: graph.entityName(table, graph.tables[table].record(row)),
        isInserted: isNew, properties: []))
    return changes.count - 1
  }

  private func value(_ table: Int, _ row: UInt32, _ field: Field) -> JSONValue {
    if field.isToMany {
      let other = graph.tables + graph.destination(field)
      return .array(
        graph.members(table, row, field).map {
          .integer(Int64(bitPattern: other.pointee.id($0).rawValue))
        })
    }
    if field.isRelationship {
      let target = graph.target(graph.links[Int(field.link)], field.side, row)
      guard target != 0 else { return .null }
      let id = graph.tables[graph.destination(field)].id(target - 1)
      return .integer(Int64(bitPattern: id.rawValue))
    }
    let record = graph.tables[table].record(row)
    return Value(StoredValue(record, field, graph.tables + table), field.type).json
  }
}
