import Groot
import GrootSQL

/// The SQL of a view, in which a person reads the objects of an entity.
struct SQLiteView {
  let view: StoreView
  let name: String
  let schema: StoreSchema
  let layout: SQLLayout

  /// How many members a to-many relationship shows.
  static let shownMembers = 10

  /// The statement that makes it.
  var sql: String {
    let entities = schema.tables[view.table].entities
    var columns = view.properties.map {
      "\(value(of: $0)) AS \(quoted(withoutNUL($0.name)))"
    }
    if view.entities.count > 1 { columns.insert("t._entity AS entity", at: 0) }
    if columns.isEmpty { columns = ["t._id AS id"] }
    let names = view.entities.map { quotedText(entities[$0]) }.joined(separator: ", ")
    let condition = view.entities.count < entities.count ? " WHERE t._entity IN (\(names))" : ""
    return "CREATE VIEW \(quoted(name)) AS SELECT \(columns.joined(separator: ", ")) "
      + "FROM \(layout.table(view.table)) AS t\(condition)"
  }

  private func value(of property: StoreView.Property) -> String {
    switch property.end {
    case .attribute(let column): return readable(column, of: view.table, in: "t")
    case .toOne(let step):
      let reference = layout.column(step.column, of: step.table)
      let condition = step.isInverse ? "m.\(reference) = t._id" : "m._id = t.\(reference)"
      return "(SELECT \(label(property, of: step.destination)) "
        + "FROM \(layout.table(step.destination)) AS m WHERE \(condition))"
    case .members(let table, let column):
      let position = schema.tables[table].listPosition(of: column)
      return members(
        label(property, of: table),
        from: "\(layout.table(table)) AS m WHERE m.\(layout.column(column, of: table)) = t._id",
        order: "m." + (position.map { layout.column($0, of: table) } ?? "_id"))
    case .links(let join, let side, let table):
      let (near, far) = side.columns
      return members(
        label(property, of: table),
        from: "\(quoted(layout.joins[join])) AS j JOIN \(layout.table(table)) AS m "
          + "ON m._id = j.\(far) WHERE j.\(near) = t._id",
        order: "j.\(near)_order")
    }
  }

  /// The first members' labels in their order, with an ellipsis for the others.
  private func members(_ label: String, from source: String, order: String) -> String {
    let count = Self.shownMembers
    return "(SELECT group_concat(label, ', ') FROM (SELECT * FROM (SELECT \(label) AS label "
      + "FROM \(source) ORDER BY \(order) LIMIT \(count)) UNION ALL SELECT '…' WHERE EXISTS "
      + "(SELECT 1 FROM \(source) LIMIT 1 OFFSET \(count))))"
  }

  /// The first of a member's labels that has a value, or its key.
  private func label(_ property: StoreView.Property, of table: TableIndex) -> String {
    let key = "'#' || m._id"
    let labels = property.labels.map { readable($0, of: table, in: "m") }
    return labels.isEmpty ? key : "coalesce(\((labels + [key]).joined(separator: ", ")))"
  }

  /// A column as a person reads it: a date as ISO 8601 has it, all others as they are.
  private func readable(_ position: Int, of table: TableIndex, in alias: String) -> String {
    let column = "\(alias).\(layout.column(position, of: table))"
    guard case .attribute(.date) = schema.tables[table].columns[position].kind else {
      return column
    }
    // Division truncates; a date before 1970 needs the second below. SQLite knows years to 9999.
    let second = "\(column) / 1000000 - (\(column) % 1000000 < 0)"
    let fraction =
      "CASE WHEN \(column) % 1000000 THEN "
      + "printf('.%06d', (\(column) % 1000000 + 1000000) % 1000000) ELSE '' END"
    return "coalesce(strftime('%Y-%m-%dT%H:%M:%S', \(second), 'unixepoch') "
      + "|| \(fraction) || 'Z', \(column))"
  }
}
