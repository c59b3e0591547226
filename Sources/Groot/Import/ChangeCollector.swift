/// Gathers what an import changes, property by property, for its report.
///
/// What happens is kept as a list of events, so that those of a record that is left out can be
/// dropped; what they amount to is put together at the end.
final class ChangeCollector {
  private struct Event {
    let object: ObjectID
    let entity: String
    let isInserted: Bool
    /// The property's name; empty for an object that was made.
    let name: String
    let old: JSONValue
    let new: JSONValue
  }

  private let graph: Graph
  private var events: [Event] = []

  init(_ graph: Graph) { self.graph = graph }

  /// The number of events so far, to come back to.
  var count: Int { events.count }

  /// Forgets the events since there were `count`.
  func removeLast(to count: Int) { events.removeSubrange(count...) }

  /// Runs what may change a property, and notes its value before and after when it did.
  func watch(
    _ frame: ImportFrame, _ table: Int, _ field: Field, _ body: () throws -> Bool
  ) throws -> Bool {
    let old = value(table, frame.row, field)
    let isChanged = try body()
    let new = value(table, frame.row, field)
    if isChanged && new != old { note(table, frame.row, field, old, new, isInserted: false) }
    return isChanged
  }

  /// Notes that an object was made, with its identity and its defaults.
  func insert(_ table: Int, _ row: UInt32) {
    let record = graph.tables[table].record(row)
    events.append(
      Event(
        object: graph.tables[table].id(row), entity: graph.entityName(table, record),
        isInserted: true, name: "", old: .null, new: .null))
    for number in graph.model.resolved[graph.entity(table, record)].attributes {
      let field = graph.fields[table][number]
      guard graph.tables[table].has(field, record) else { continue }
      note(table, row, field, .null, value(table, row, field), isInserted: true)
    }
  }

  private func note(
    _ table: Int, _ row: UInt32, _ field: Field, _ old: JSONValue, _ new: JSONValue,
    isInserted: Bool
  ) {
    let record = graph.tables[table].record(row)
    events.append(
      Event(
        object: graph.tables[table].id(row), entity: graph.entityName(table, record),
        isInserted: isInserted,
        name: graph.model.hierarchies[table].properties[Int(field.number)].name, old: old,
        new: new))
  }

  /// What the events amount to: for each object the first old and the last new value of each
  /// property, where they differ.
  func changes() -> [ImportReport.Change] {
    var changes: [ImportReport.Change] = []
    var positions: [ObjectID: Int] = [:]
    for event in events {
      let position = positions[event.object] ?? changes.count
      if position == changes.count {
        positions[event.object] = position
        changes.append(
          ImportReport.Change(
            object: event.object, entity: event.entity, isInserted: event.isInserted,
            properties: []))
      }
      guard !event.name.isEmpty else { continue }
      let known = changes[position].properties.firstIndex { $0.name == event.name }
      if let known {
        changes[position].properties[known].new = event.new
      } else {
        let old = changes[position].isInserted ? .null : event.old
        changes[position].properties.append((event.name, old, event.new))
      }
    }
    for position in changes.indices {
      changes[position].properties.removeAll { $0.old == $0.new }
    }
    return changes.filter { $0.isInserted || !$0.properties.isEmpty }
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
