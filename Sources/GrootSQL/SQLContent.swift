import Groot

/// A connection that answers a query with one number.
package protocol SQLRunner {
  /// Returns the single integer of a query; 0 when there is none.
  func integer(_ sql: String) throws -> Int64
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

  /// Returns a query for the entities of a table's objects, their numbers, and the numbers of
  /// placeholders among them.
  package func entityCounts(_ table: TableIndex) -> String {
    "SELECT _entity, count(*), CAST(sum(CASE WHEN _version < 0 THEN 1 ELSE 0 END) AS bigint) "
      + "FROM \(layout.table(table)) GROUP BY _entity"
  }

  private func list(_ entities: [String]) -> String {
    entities.map(quotedText).joined(separator: ", ")
  }

  private func count(_ table: String, condition: String) throws -> Int64 {
    try runner.integer("SELECT count(*) FROM \(table) WHERE \(condition)")
  }
}
