import Groot

/// The SQL of a view, in which a person reads the objects of an entity.
package struct SQLView {
  /// The objects and properties that it shows.
  package let view: StoreView
  /// The name of the view.
  package let name: String
  private let schema: StoreSchema
  private let layout: SQLLayout
  private var dialect: any SQLDialect { layout.dialect }

  /// How many members a to-many relationship shows.
  private static let shownMembers = 10

  /// Returns the views of a schema, one for each entity.
  package static func all(_ schema: StoreSchema, layout: SQLLayout) -> [SQLView] {
    let views = schema.views
    return zip(views, layout.names(of: views)).map {
      SQLView(view: $0, name: $1, schema: schema, layout: layout)
    }
  }

  /// The statement that makes it.
  package var sql: String {
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
    return "(SELECT \(dialect.joined("label")) FROM (SELECT * FROM (SELECT \(label) AS label "
      + "FROM \(source) ORDER BY \(order) LIMIT \(count)) AS few UNION ALL SELECT '…' WHERE EXISTS "
      + "(SELECT 1 FROM \(source) LIMIT 1 OFFSET \(count))) AS shown)"
  }

  /// The first of a member's labels that has a value, or its key.
  private func label(_ property: StoreView.Property, of table: TableIndex) -> String {
    let key = "'#' || m._id"
    let labels = property.labels.map { dialect.asText(readable($0, of: table, in: "m")) }
    return labels.isEmpty ? key : "coalesce(\((labels + [key]).joined(separator: ", ")))"
  }

  /// A column as a person reads it.
  private func readable(_ position: Int, of table: TableIndex, in alias: String) -> String {
    let column = "\(alias).\(layout.column(position, of: table))"
    guard case .attribute(let type) = schema.tables[table].columns[position].kind else {
      return column
    }
    return dialect.readable(column, type)
  }
}
