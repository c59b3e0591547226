import Groot

// Writing of objects and links.

extension SQLiteStore {
  func name(_ table: TableIndex) -> String { quoted(layout.tables[table].name) }

  func columns(_ table: TableIndex) -> [String] { layout.tables[table].columns.map(quoted) }

  /// The statement for a purpose, made when it is first wanted.
  func statement(
    _ purpose: StatementPurpose, _ sql: () -> String
  ) throws -> SQLiteStatement {
    if let known = statements[purpose] { return known }
    let made = try SQLiteStatement(sql(), database)
    statements[purpose] = made
    return made
  }

  // MARK: Writing objects

  func update(
    _ table: TableIndex, key: Int64, version: StoreVersion, entity: Int?, columns: [Int],
    values: UnsafeBufferPointer<StoredValue>
  ) throws -> Bool {
    let statement = try statement(.update(table, columns, hasEntity: entity != nil)) {
      let names = self.columns(table)
      let sets =
        columns.map { names[$0] + " = ?" } + ["_version = ?"]
        + (entity == nil ? [] : ["_entity = ?"])
      return "UPDATE \(name(table)) SET \(sets.joined(separator: ", ")) "
        + "WHERE _id = ? AND _version = ?"
    }
    for (place, column) in columns.enumerated() {
      statement.bind(place + 1, values[place], types[table][column])
    }
    var place = columns.count + 1
    statement.bind(place, version.new)
    if let entity {
      place += 1
      statement.bind(place, text: schema.tables[table].entities[entity])
    }
    statement.bind(place + 1, key)
    statement.bind(place + 2, version.old)
    do {
      try statement.run()
    } catch let failure as GrootError where failure.status == .storeDuplicate {
      throw UniqueViolation(table: table, key: key, failure: failure)
    }
    return database.changeCount == 1
  }

  private static let placeholderKey = "placeholders"

  func mayHavePlaceholders() throws -> Bool {
    let statement = try SQLiteStatement("SELECT 1 FROM _groot WHERE key = ?", database)
    statement.bind(1, text: Self.placeholderKey)
    return try statement.step()
  }

  func notePlaceholders() throws { try setMetadata(Self.placeholderKey, "1") }

  func clear(_ table: TableIndex, key: Int64, columns: [Int]) throws {
    let statement = try statement(.clear(table, columns)) {
      let names = self.columns(table)
      let sets = columns.map { names[$0] + " = NULL" }.joined(separator: ", ")
      return "UPDATE \(name(table)) SET \(sets) WHERE _id = ?"
    }
    statement.bind(1, key)
    try statement.run()
  }

  func setPosition(_ table: TableIndex, key: Int64, column: Int, _ position: Int64) throws {
    let statement = try statement(.setPosition(table, column)) {
      "UPDATE \(name(table)) SET \(columns(table)[column]) = ? WHERE _id = ?"
    }
    statement.bind(1, position)
    statement.bind(2, key)
    try statement.run()
  }

  func delete(_ table: TableIndex, key: Int64, version: Int64) throws -> Bool {
    let statement = try statement(.delete(table)) {
      "DELETE FROM \(name(table)) WHERE _id = ? AND _version = ?"
    }
    statement.bind(1, key)
    statement.bind(2, version)
    try statement.run()
    return database.changeCount == 1
  }

  // MARK: Writing links

  func deleteLink(_ join: Int, source: Int64, target: Int64) throws {
    let statement = try statement(.deleteLink(join)) {
      "DELETE FROM \(quoted(layout.joins[join])) WHERE source = ? AND target = ?"
    }
    statement.bind(1, source)
    statement.bind(2, target)
    try statement.run()
  }

  func setLinkPosition(_ join: Int, _ link: StoreLink, ofTarget: Bool) throws {
    let statement = try statement(.setLinkPosition(join, ofTarget)) {
      "UPDATE \(quoted(layout.joins[join])) SET \(ofTarget ? "target_order" : "source_order") = ? "
        + "WHERE source = ? AND target = ?"
    }
    statement.bind(1, ofTarget ? link.targetPosition : link.sourcePosition)
    statement.bind(2, link.source)
    statement.bind(3, link.target)
    try statement.run()
  }
}
