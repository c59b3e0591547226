import Groot

/// Counts the objects, values and links in the tables of a schema.
struct SQLiteContent: StoreContent {
  private let schema: StoreSchema
  private let layout: SQLiteLayout
  private let database: SQLiteDatabase

  init(_ schema: StoreSchema, database: SQLiteDatabase) {
    self.schema = schema
    self.database = database
    layout = SQLiteLayout(schema)
  }

  func objectCount(_ table: TableIndex, of entities: [String]) throws -> Int64 {
    try count(layout.table(table), condition: "_entity IN (\(list(entities)))")
  }

  func valueCount(_ table: TableIndex, column: Int, of entities: [String]) throws -> Int64 {
    let value = layout.column(column, of: table)
    return try count(
      layout.table(table),
      condition: "\(value) IS NOT NULL AND _entity IN (\(list(entities)))")
  }

  func linkCount(_ join: Int) throws -> Int64 {
    try count(quoted(layout.joins[join]), condition: "1")
  }

  private func list(_ entities: [String]) -> String {
    entities.map(quotedText).joined(separator: ", ")
  }

  private func count(_ table: String, condition: String) throws -> Int64 {
    try database.integer("SELECT count(*) FROM \(table) WHERE \(condition)")
  }
}
