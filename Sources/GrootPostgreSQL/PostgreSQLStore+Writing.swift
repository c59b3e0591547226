import Groot
import GrootSQL

// Changing and deleting objects and links, many with one statement.

extension PostgreSQLStore {
  func lockRows(_ table: TableIndex, keys: [Int64]) throws -> Bool {
    var parameters = PostgreSQLParameters()
    parameters.add(keys)
    _ = try run(
      "SELECT count(*) FROM (SELECT 1 FROM \(name(table)) WHERE _id = ANY ($1) ORDER BY _id "
        + "FOR NO KEY UPDATE) AS locked", parameters)
    return true
  }

  func updateRows(
    _ table: TableIndex, columns: [Int], hasEntity: Bool, count: Int, row: (Int) -> RowUpdate
  ) throws -> [Int] {
    var missed: [Int] = []
    var start = 0
    while start < count {
      let end = min(start + Self.rowsPerStatement, count)
      missed += try updateRows(
        table, columns: columns, hasEntity: hasEntity, numbers: start..<end, row: row)
      start = end
    }
    return missed
  }

  private func updateRows(
    _ table: TableIndex, columns: [Int], hasEntity: Bool, numbers: Range<Int>,
    row: (Int) -> RowUpdate
  ) throws -> [Int] {
    let written = self.columns(table)
    let entities = schema.tables[table].entities
    let (key, old, new) = (
      PostgreSQLColumn(.integer), PostgreSQLColumn(.integer), PostgreSQLColumn(.integer)
    )
    let entity = PostgreSQLColumn(.text)
    let values = columns.map { PostgreSQLColumn(columnTypes[table][$0]) }
    var keys: [Int64] = []
    for number in numbers {
      let update = row(number)
      keys.append(update.key)
      key.append(update.key)
      old.append(update.version.old)
      new.append(update.version.new)
      if hasEntity { entity.append(text: update.entity.map { entities[$0] } ?? "") }
      for (position, column) in columns.enumerated() {
        do {
          try values[position].append(update.values[position])
        } catch let failure as UnstorableValue {
          throw unstorable(failure, table: table, column: column, entity: update.entity ?? 0)
        }
      }
    }
    var parameters = PostgreSQLParameters()
    var names = ["key", "old", "new"]
    for column in [key, old, new] + values + (hasEntity ? [entity] : []) { parameters.add(column) }
    names += values.indices.map { "value_\($0)" } + (hasEntity ? ["entity"] : [])
    let sets =
      ["_version = w.new"] + columns.indices.map { "\(written[columns[$0]]) = w.value_\($0)" }
      + (hasEntity ? ["_entity = w.entity"] : [])
    let marks = names.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
    do {
      let result = try connection.run(
        "UPDATE \(name(table)) AS t SET \(sets.joined(separator: ", ")) "
          + "FROM unnest(\(marks)) AS w (\(names.joined(separator: ", "))) "
          + "WHERE t._id = w.key AND t._version = w.old RETURNING t._id", parameters)
      guard result.count < numbers.count else { return [] }
      let found = Set((0..<result.count).compactMap { result.integer($0, 0) })
      return numbers.filter { !found.contains(keys[$0 - numbers.lowerBound]) }
    } catch let failure as PostgreSQLFailure where failure.status == .storeDuplicate {
      throw UniqueViolation(
        table: table, key: keys.count == 1 ? keys[0] : 0, failure: grootError(failure))
    } catch {
      throw self.error(error)
    }
  }

  func clearRows(_ table: TableIndex, columns: [Int], keys: [Int64]) throws {
    var parameters = PostgreSQLParameters()
    parameters.add(keys)
    let names = self.columns(table)
    let sets = columns.map { names[$0] + " = NULL" }.joined(separator: ", ")
    _ = try run("UPDATE \(name(table)) SET \(sets) WHERE _id = ANY ($1)", parameters)
  }

  func setNumbers(_ table: TableIndex, column: Int, _ numbers: [RowNumber]) throws {
    var parameters = PostgreSQLParameters()
    parameters.add(numbers.lazy.map(\.key))
    parameters.add(numbers.lazy.map(\.number))
    _ = try run(
      "UPDATE \(name(table)) AS t SET \(columns(table)[column]) = w.number "
        + "FROM unnest($1, $2) AS w (key, number) WHERE t._id = w.key", parameters)
  }

  func deleteRows(_ table: TableIndex, _ rows: [RowVersion]) throws -> [Int] {
    guard !rows.isEmpty else { return [] }
    var parameters = PostgreSQLParameters()
    parameters.add(rows.lazy.map(\.key))
    parameters.add(rows.lazy.map(\.version))
    let result = try run(
      "DELETE FROM \(name(table)) AS t USING unnest($1, $2) AS w (key, version) "
        + "WHERE t._id = w.key AND t._version = w.version RETURNING t._id", parameters)
    guard result.count < rows.count else { return [] }
    let found = Set((0..<result.count).compactMap { result.integer($0, 0) })
    return rows.indices.filter { !found.contains(rows[$0].key) }
  }

  // MARK: Links

  func deleteLinks(_ join: Int, _ links: [StoreLink]) throws {
    var parameters = PostgreSQLParameters()
    parameters.add(links.lazy.map(\.source))
    parameters.add(links.lazy.map(\.target))
    _ = try run(
      "DELETE FROM \(quoted(layout.joins[join])) AS t USING unnest($1, $2) AS w (a, b) "
        + "WHERE t.source = w.a AND t.target = w.b", parameters)
  }

  func setLinkPositions(_ join: Int, _ links: [StoreLink], ofTarget: Bool) throws {
    var parameters = PostgreSQLParameters()
    parameters.add(links.lazy.map(\.source))
    parameters.add(links.lazy.map(\.target))
    parameters.add(links.lazy.map { ofTarget ? $0.targetPosition : $0.sourcePosition })
    _ = try run(
      "UPDATE \(quoted(layout.joins[join])) AS t "
        + "SET \(ofTarget ? "target_order" : "source_order") = w.c "
        + "FROM unnest($1, $2, $3) AS w (a, b, c) WHERE t.source = w.a AND t.target = w.b",
      parameters)
  }

  // MARK: Placeholders

  private static let placeholderKey = "placeholders"

  func mayHavePlaceholders() throws -> Bool {
    var parameters = PostgreSQLParameters()
    parameters.add(Self.placeholderKey)
    return try run("SELECT 1 FROM _groot WHERE key = $1", parameters).count > 0
  }

  func notePlaceholders() throws {
    var parameters = PostgreSQLParameters()
    parameters.add(Self.placeholderKey)
    _ = try run(
      "INSERT INTO _groot (key, number) VALUES ($1, 1) ON CONFLICT DO NOTHING", parameters)
  }
}
