import Groot
import GrootSQL

// Writing objects and links.

extension SQLiteStore {
  func name(_ table: TableIndex) -> String { layout.table(table) }

  func columns(_ table: TableIndex) -> [String] { layout.tables[table].columns.map(quoted) }

  /// Returns the statement for a purpose, which is prepared on demand.
  func statement(
    _ purpose: StatementPurpose, sql: () -> String
  ) throws -> SQLiteStatement {
    if let known = statements[purpose] { return known }
    let made = try SQLiteStatement(sql(), database: database)
    statements[purpose] = made
    return made
  }

  // MARK: Writing objects

  func update(_ table: TableIndex, with update: RowUpdate) throws -> Bool {
    let columns = update.columns
    let purpose = StatementPurpose.update(table, columns, hasEntity: update.entity != nil)
    let statement = try statement(purpose) {
      let names = self.columns(table)
      let sets =
        columns.map { names[$0] + " = ?" } + ["_version = ?"]
        + (update.entity == nil ? [] : ["_entity = ?"])
      return "UPDATE \(name(table)) SET \(sets.joined(separator: ", ")) "
        + "WHERE _id = ? AND _version = ?"
    }
    for (index, column) in columns.enumerated() {
      statement.bind(index + 1, value: update.values[index], as: types[table][column])
    }
    var index = columns.count + 1
    statement.bind(index, number: update.version.new)
    if let entity = update.entity {
      index += 1
      statement.bind(index, text: schema.tables[table].entities[entity])
    }
    statement.bind(index + 1, number: update.key)
    statement.bind(index + 2, number: update.version.old)
    do {
      try statement.run()
    } catch let failure as GrootError where failure.status == .storeDuplicate {
      throw UniqueViolation(table: table, key: update.key, failure: failure)
    }
    return database.changeCount == 1
  }

  private static let placeholderKey = "placeholders"

  func mayHavePlaceholders() throws -> Bool {
    let statement = try SQLiteStatement("SELECT 1 FROM _groot WHERE key = ?", database: database)
    statement.bind(1, text: Self.placeholderKey)
    return try statement.step()
  }

  func notePlaceholders() throws { try setMetadata(Self.placeholderKey, to: "1") }

  func clear(_ table: TableIndex, key: Int64, columns: [Int]) throws {
    let statement = try statement(.clear(table, columns)) {
      let names = self.columns(table)
      let sets = columns.map { names[$0] + " = NULL" }.joined(separator: ", ")
      return "UPDATE \(name(table)) SET \(sets) WHERE _id = ?"
    }
    statement.bind(1, number: key)
    try statement.run()
  }

  func setPosition(_ table: TableIndex, key: Int64, column: Int, to position: Int64) throws {
    let statement = try statement(.setPosition(table, column)) {
      "UPDATE \(name(table)) SET \(columns(table)[column]) = ? WHERE _id = ?"
    }
    statement.bind(1, number: position)
    statement.bind(2, number: key)
    try statement.run()
  }

  func delete(_ table: TableIndex, key: Int64, version: Int64) throws -> Bool {
    let statement = try statement(.delete(table)) {
      "DELETE FROM \(name(table)) WHERE _id = ? AND _version = ?"
    }
    statement.bind(1, number: key)
    statement.bind(2, number: version)
    try statement.run()
    return database.changeCount == 1
  }

  // MARK: Writing links

  func deleteLink(_ join: Int, source: Int64, target: Int64) throws {
    let statement = try statement(.deleteLink(join)) {
      "DELETE FROM \(quoted(layout.joins[join])) WHERE source = ? AND target = ?"
    }
    statement.bind(1, number: source)
    statement.bind(2, number: target)
    try statement.run()
  }

  func setLinkPosition(_ join: Int, link: StoreLink, ofTarget: Bool) throws {
    let statement = try statement(.setLinkPosition(join, ofTarget)) {
      "UPDATE \(quoted(layout.joins[join])) SET \(ofTarget ? "target_order" : "source_order") = ? "
        + "WHERE source = ? AND target = ?"
    }
    statement.bind(1, number: ofTarget ? link.targetPosition : link.sourcePosition)
    statement.bind(2, number: link.source)
    statement.bind(3, number: link.target)
    try statement.run()
  }
}
