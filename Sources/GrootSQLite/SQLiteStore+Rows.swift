import Groot

// Writing of objects and links.

extension SQLiteStore {
  func name(_ table: Int) -> String { quoted(layout.tables[table].name) }

  func columns(_ table: Int) -> [String] { layout.tables[table].columns.map(quoted) }

  /// The statement for a purpose, made when it is first wanted.
  private func statement(
    _ purpose: StatementPurpose, _ sql: () -> String
  ) throws -> SQLiteStatement {
    if let known = statements[purpose] { return known }
    let made = try SQLiteStatement(sql(), database)
    statements[purpose] = made
    return made
  }

  // MARK: Writing objects

  func nextKey(_ table: Int) throws -> Int64 {
    let statement = try SQLiteStatement(
      "SELECT seq FROM sqlite_sequence WHERE name = ?", database)
    statement.bind(1, text: layout.tables[table].name)
    return try statement.step() ? statement.integer(0) + 1 : 1
  }

  func insert(_ table: Int, _ row: StoreRow) throws {
    let statement = try statement(.insert(table)) {
      let names = ["_id", "_entity", "_version"] + columns(table)
      let marks = Array(repeating: "?", count: names.count).joined(separator: ", ")
      return "INSERT INTO \(name(table)) (\(names.joined(separator: ", "))) VALUES (\(marks))"
    }
    statement.bind(1, row.key)
    statement.bind(2, text: entityNames[table][row.entity])
    statement.bind(3, row.version)
    for (position, type) in types[table].enumerated() {
      statement.bind(position + 4, row.values[position], type)
    }
    try statement.run()
  }

  func update(
    _ table: Int, key: Int64, version: Int64, columns: [Int],
    values: UnsafeBufferPointer<StoredValue>
  ) throws -> Bool {
    let statement = try statement(.update(table, columns)) {
      let names = self.columns(table)
      let sets = columns.map { names[$0] + " = ?" } + ["_version = _version + 1"]
      return "UPDATE \(name(table)) SET \(sets.joined(separator: ", ")) "
        + "WHERE _id = ? AND _version = ?"
    }
    for (place, column) in columns.enumerated() {
      statement.bind(place + 1, values[place], types[table][column])
    }
    statement.bind(columns.count + 1, key)
    statement.bind(columns.count + 2, version)
    try statement.run()
    return database.changeCount == 1
  }

  func clear(_ table: Int, key: Int64, columns: [Int]) throws {
    let statement = try statement(.clear(table, columns)) {
      let names = self.columns(table)
      let sets = columns.map { names[$0] + " = NULL" }.joined(separator: ", ")
      return "UPDATE \(name(table)) SET \(sets) WHERE _id = ?"
    }
    statement.bind(1, key)
    try statement.run()
  }

  func setPosition(_ table: Int, key: Int64, column: Int, _ position: Int64) throws {
    let statement = try statement(.setPosition(table, column)) {
      "UPDATE \(name(table)) SET \(columns(table)[column]) = ? WHERE _id = ?"
    }
    statement.bind(1, position)
    statement.bind(2, key)
    try statement.run()
  }

  func delete(_ table: Int, key: Int64, version: Int64) throws -> Bool {
    let statement = try statement(.delete(table)) {
      "DELETE FROM \(name(table)) WHERE _id = ? AND _version = ?"
    }
    statement.bind(1, key)
    statement.bind(2, version)
    try statement.run()
    return database.changeCount == 1
  }

  // MARK: Writing links

  func insertLink(_ join: Int, _ link: StoreLink) throws {
    // Another process may have joined the same two.
    let statement = try statement(.insertLink(join)) {
      "INSERT OR IGNORE INTO \(quoted(layout.joins[join])) "
        + "(source, target, source_order, target_order) VALUES (?, ?, ?, ?)"
    }
    statement.bind(1, link.source)
    statement.bind(2, link.target)
    statement.bind(3, link.sourcePosition)
    statement.bind(4, link.targetPosition)
    try statement.run()
  }

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
