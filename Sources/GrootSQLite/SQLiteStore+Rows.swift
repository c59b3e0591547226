import Groot
import GrootSQL

// Writing objects and links.

extension SQLiteStore {
  func name(_ table: TableIndex) -> String { layout.table(table) }

  func columns(_ table: TableIndex) -> [String] { layout.columns(of: table) }

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

  func updateRows(
    _ table: TableIndex, columns: [Int], hasEntity: Bool, count: Int, row: (Int) -> RowUpdate
  ) throws -> [Int] {
    let statement = try statement(.update(table, columns, hasEntity: hasEntity)) {
      let names = self.columns(table)
      let sets =
        columns.map { names[$0] + " = ?" } + ["_version = ?"] + (hasEntity ? ["_entity = ?"] : [])
      return "UPDATE \(name(table)) SET \(sets.joined(separator: ", ")) "
        + "WHERE _id = ? AND _version = ?"
    }
    var missed: [Int] = []
    for number in 0..<count {
      let update = row(number)
      for (index, column) in columns.enumerated() {
        statement.bind(index + 1, value: update.values[index], as: rows.types[table][column])
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
      if database.changeCount != 1 { missed.append(number) }
    }
    return missed
  }

  private static let placeholderKey = "placeholders"

  func mayHavePlaceholders() throws -> Bool {
    let statement = try SQLiteStatement("SELECT 1 FROM _groot WHERE key = ?", database: database)
    statement.bind(1, text: Self.placeholderKey)
    return try statement.step()
  }

  func notePlaceholders() throws { try setMetadata(Self.placeholderKey, to: "1") }

  func clearRows(_ table: TableIndex, columns: [Int], keys: [Int64]) throws {
    let statement = try statement(.clear(table, columns)) {
      let names = self.columns(table)
      let sets = columns.map { names[$0] + " = NULL" }.joined(separator: ", ")
      return "UPDATE \(name(table)) SET \(sets) WHERE _id = ?"
    }
    for key in keys {
      statement.bind(1, number: key)
      try statement.run()
    }
  }

  func setNumbers(_ table: TableIndex, column: Int, _ numbers: [RowNumber]) throws {
    let statement = try statement(.setNumber(table, column)) {
      "UPDATE \(name(table)) SET \(columns(table)[column]) = ? WHERE _id = ?"
    }
    for entry in numbers {
      statement.bind(1, number: entry.number)
      statement.bind(2, number: entry.key)
      try statement.run()
    }
  }

  func deleteRows(_ table: TableIndex, _ rows: [RowVersion]) throws -> [Int] {
    let statement = try statement(.delete(table)) {
      "DELETE FROM \(name(table)) WHERE _id = ? AND _version = ?"
    }
    var missed: [Int] = []
    for (number, row) in rows.enumerated() {
      statement.bind(1, number: row.key)
      statement.bind(2, number: row.version)
      try statement.run()
      if database.changeCount != 1 { missed.append(number) }
    }
    return missed
  }

  // MARK: Writing links

  func deleteLinks(_ join: Int, _ links: [StoreLink]) throws {
    let statement = try statement(.deleteLink(join)) {
      "DELETE FROM \(quoted(layout.joins[join])) WHERE source = ? AND target = ?"
    }
    for link in links {
      statement.bind(1, number: link.source)
      statement.bind(2, number: link.target)
      try statement.run()
    }
  }

  func exchangeLinks(
    _ join: Int, count: Int, link: (Int) -> (old: StoreLink, new: StoreLink)
  ) throws {
    let statement = try statement(.exchangeLink(join)) {
      "UPDATE OR IGNORE \(quoted(layout.joins[join])) SET target = ?, source_order = ?, "
        + "target_order = ? WHERE source = ? AND target = ?"
    }
    var missed: [(old: StoreLink, new: StoreLink)] = []
    for number in 0..<count {
      let link = link(number)
      if link.new.hasKeys {
        statement.bind(1, number: link.new.target)
        statement.bind(2, number: link.new.sourcePosition)
        statement.bind(3, number: link.new.targetPosition)
        statement.bind(4, number: link.old.source)
        statement.bind(5, number: link.old.target)
        try statement.run()
        if database.changeCount == 1 { continue }
      }
      // Others have deleted the old link or an object, or inserted the new link.
      missed.append(link)
    }
    if !missed.isEmpty { try replaceLinks(join, missed) }
  }

  func setLinkPositions(_ join: Int, _ links: [StoreLink], ofTarget: Bool) throws {
    let statement = try statement(.setLinkPosition(join, ofTarget)) {
      "UPDATE \(quoted(layout.joins[join])) SET \(ofTarget ? "target_order" : "source_order") = ? "
        + "WHERE source = ? AND target = ?"
    }
    for link in links {
      statement.bind(1, number: ofTarget ? link.targetPosition : link.sourcePosition)
      statement.bind(2, number: link.source)
      statement.bind(3, number: link.target)
      try statement.run()
    }
  }
}
