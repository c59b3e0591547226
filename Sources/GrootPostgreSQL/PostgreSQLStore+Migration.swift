import Groot
import GrootSQL

// Migrating a store to another model.

extension PostgreSQLStore: SQLRunner {
  func texts(_ sql: String, columns: Int) throws -> [[String]] {
    let result = try connection.run(sql)
    return (0..<result.count).map { row in
      (0..<columns).map { result.text(row, $0) }
    }
  }

  /// Migrates the store to the schema's model in one transaction.
  ///
  /// - Throws: ``Status/storeModel`` with an issue for each difference that cannot be migrated or
  ///   would lose something. When migration is not allowed, there is an issue for each difference.
  ///   The store is then unchanged.
  func migrate() throws {
    note(.events, "bringing the store '\(address.shown)' to another model")
    var attempt = 0
    while true {
      do {
        try migrateOnce()
        break
      } catch  where isWorthRetrying(error, attempt: attempt) {
        attempt += 1
      }
    }
    generation += 1
    guard try examine() == nil else { throw damaged("its migration did not end") }
  }

  private func migrateOnce() throws {
    do {
      _ = try begin("BEGIN; \(settings(isReading: false))")
      // One process at a time migrates; the others then find the model that they need.
      _ = try connection.run("SELECT number FROM _groot WHERE key = 'model' FOR UPDATE")
      try rebuild()
      try connection.run("COMMIT")
    } catch {
      rollBackOpening()
      throw self.error(error)
    }
  }

  private func rebuild() throws {
    let rows = try connection.run(
      "SELECT (SELECT value FROM _groot WHERE key = 'structure'), value FROM _groot "
        + "WHERE key = 'model'")
    guard rows.count == 1, case .string(let text)? = try? JSONValue(parsing: rows.text(0, 0)) else {
      throw damaged("it lacks its description")
    }
    guard Name(text) != Name(structure.text) else { return }
    guard options.migration != .refused else { throw structure.differences(text) }
    let old = try structure.described(model: rows.text(0, 1), structure: text)
    let rebuild = try SQLRebuild(
      from: old, to: schema, layout: layout, rule: options.migration, store: address.shown,
      runner: self)
    let definition = SQLDefinition(schema: schema, layout: layout)
    let hasViews = try dropViews()
    try dropIndexes(old)
    for sql in rebuild.settingAside + definition.tables { try connection.run(sql) }
    for copy in rebuild.copies {
      try connection.run(
        copy.statement.text, PostgreSQLParameters(copy.statement.parameters))
    }
    for sql in rebuild.linkCopies { try connection.run(sql) }
    for sql in rebuild.drops + rebuild.clearings + definition.indexes { try connection.run(sql) }
    if hasForeignKeys { for sql in definition.constraints { try connection.run(sql) } }
    for sql in comments { try connection.run(sql) }
    try describe(rebuild, old: old)
    if hasViews { try makeViews() }
  }

  /// Drops the indexes of the old tables, whose names the new ones may need.
  private func dropIndexes(_ old: SQLStructure.Described) throws {
    let definition = SQLDefinition(schema: old.schema, layout: old.layout)
    var names =
      old.schema.tableIndices.flatMap { definition.indexes($0) }.map(\.name)
      + old.schema.joins.indices.map { definition.index(ofJoin: $0).name }
    // The store does not keep the mapping that made the indexes of identities.
    let found = try connection.run(
      "SELECT indexname FROM pg_indexes WHERE schemaname = \(quotedText(databaseSchema)) "
        + "AND indexname LIKE '\\_%\\_identity\\_%'")
    for row in 0..<found.count where !names.contains(found.text(row, 0)) {
      names.append(found.text(row, 0))
    }
    for name in names { try connection.run("DROP INDEX IF EXISTS \(quoted(name))") }
  }

  /// Describes the new model, with counters that are beyond all numbers in use.
  private func describe(_ rebuild: SQLRebuild, old: SQLStructure.Described) throws {
    var statements: [String] = []
    func count(_ counter: String, from source: String) {
      statements.append(
        "INSERT INTO _groot (key, number) VALUES (\(quotedText("new " + counter)), \(source))")
    }
    for table in schema.tableIndices {
      // Even keys of deleted objects are never used again.
      let before = rebuild.source(of: table).map {
        "(SELECT number FROM _groot WHERE key = \(quotedText(Self.keyCounter($0, layout: old.layout))))"
      }
      count(
        keyCounter(table),
        from: "greatest(1, coalesce(\(before ?? "1"), 1), "
          + "(SELECT coalesce(max(_id), 0) + 1 FROM \(name(table))))")
      for (position, column) in schema.tables[table].columns.enumerated() {
        guard case .position = column.kind else { continue }
        let place = columns(table)[position]
        count(
          counter(.members(table: table, column: position)),
          from: "(SELECT greatest(0, max(\(place)), -min(\(place))) + 1 FROM \(name(table)))")
      }
    }
    for join in schema.joins.indices {
      count(
        counter(.links(join: join)),
        from:
          "(SELECT greatest(0, max(source_order), max(target_order), -min(source_order), "
          + "-min(target_order)) + 1 FROM \(quoted(layout.joins[join])))")
    }
    statements += [
      "DELETE FROM _groot WHERE key LIKE 'keys of %' OR key LIKE 'place of %'",
      "UPDATE _groot SET key = substr(key, 5) WHERE key LIKE 'new %'",
      "UPDATE _groot SET value = \(quotedText(schema.document.description)), number = number + 1 "
        + "WHERE key = 'model'",
      "UPDATE _groot SET value = \(quotedText(JSONValue.string(structure.text).description)) "
        + "WHERE key = 'structure'",
      "UPDATE _groot SET number = number + 1 WHERE key = 'commits'",
    ]
    for sql in statements { try connection.run(sql) }
  }
}
