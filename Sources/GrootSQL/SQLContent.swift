import Groot

/// A connection that answers a query with texts.
package protocol SQLRunner {
  /// Returns the rows of a query with so many columns as texts; NULL is empty.
  func texts(_ sql: String, columns: Int) throws -> [[String]]
}

extension SQLRunner {
  /// Returns the single integer of a query; 0 when there is none.
  package func integer(_ sql: String) throws -> Int64 {
    try texts(sql, columns: 1).first?.first.flatMap { Int64($0) } ?? 0
  }
}

/// Counts the objects, values and links in the tables of a schema.
package struct SQLContent: StoreContent {
  private let layout: SQLLayout
  private let runner: any SQLRunner

  /// Counts in the tables of a layout.
  package init(_ layout: SQLLayout, runner: any SQLRunner) {
    self.layout = layout
    self.runner = runner
  }

  /// Counts the objects of some entities.
  package func objectCount(_ table: TableIndex, of entities: [String]) throws -> Int64 {
    try count(layout.table(table), condition: "_entity IN (\(list(entities)))")
  }

  /// Counts the objects of some entities that have a value in a column.
  package func valueCount(
    _ table: TableIndex, column: Int, of entities: [String]
  ) throws -> Int64 {
    let value = layout.column(column, of: table)
    return try count(
      layout.table(table),
      condition: "\(value) IS NOT NULL AND _entity IN (\(list(entities)))")
  }

  /// Counts the links of a join.
  package func linkCount(_ join: Int) throws -> Int64 {
    try count(quoted(layout.joins[join]), condition: layout.dialect.constant(true))
  }

  /// Counts the objects and the placeholders of each entity.
  package func entityCounts(
    _ schema: StoreSchema
  ) throws -> NameMap<StoreDescription.Count> {
    var counts: NameMap<StoreDescription.Count> = [:]
    for table in schema.tableIndices {
      for entity in schema.tables[table].entities {
        counts[entity] = StoreDescription.Count(objects: 0, placeholders: 0)
      }
      let rows = try runner.texts(
        "SELECT _entity, count(*), CAST(sum(CASE WHEN _version < 0 THEN 1 ELSE 0 END) AS bigint) "
          + "FROM \(layout.table(table)) GROUP BY _entity", columns: 3)
      for row in rows {
        counts[row[0]] = StoreDescription.Count(
          objects: Int64(row[1]) ?? 0, placeholders: Int64(row[2]) ?? 0)
      }
    }
    return counts
  }

  private func list(_ entities: [String]) -> String {
    entities.map(quotedText).joined(separator: ", ")
  }

  private func count(_ table: String, condition: String) throws -> Int64 {
    try runner.integer("SELECT count(*) FROM \(table) WHERE \(condition)")
  }
}
