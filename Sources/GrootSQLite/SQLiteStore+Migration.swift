import Groot

// Migrating a store to another model.

extension SQLiteStore {
  /// Migrates the store to the schema's model in one transaction.
  ///
  /// The old tables are renamed. New tables are created, filled from the old tables, and replace
  /// them. Objects keep their keys and versions.
  ///
  /// - Throws: ``Status/storeModel`` with an issue for each difference that cannot be migrated or
  ///   would lose something. When migration is not allowed, there is an issue for each difference.
  ///   The file is then unchanged.
  func migrate(_ options: SQLiteStoreOptions) throws {
    guard options.migration != .refused else { throw differences(try metadata("structure")) }
    // The migration is checked before the backup, so that a refusal leaves no copy.
    if let old = try examine(options) { _ = try migration(from: old, options) }
    // SQLite ignores this pragma inside a transaction.
    try database.execute("PRAGMA foreign_keys = OFF")
    defer { try? database.execute("PRAGMA foreign_keys = ON") }
    // A view of another program keeps the names of tables that are set aside.
    try database.execute("PRAGMA legacy_alter_table = ON")
    defer { try? database.execute("PRAGMA legacy_alter_table = OFF") }
    if let path = options.backup { try backUp(to: path) }
    try begin()
    do {
      // Another process may have migrated the store meanwhile.
      if let old = try examine(options) {
        try rebuild(old, migration: migration(from: old, options))
      }
      try commit()
    } catch {
      rollBack()
      throw error
    }
  }

  private func backUp(to path: String) throws {
    database.note(.events, "copying the store '\(database.path)' to '\(path)'")
    let statement = try SQLiteStatement("VACUUM INTO ?", database: database)
    statement.bind(1, text: try SQLiteDatabase.fileName(path))
    try statement.run()
  }

  /// Returns the migration of the store to the schema.
  private func migration(
    from old: StoreSchema, _ options: SQLiteStoreOptions
  ) throws -> StoreMigration {
    try requireKnownEntities(old)
    let migration = try StoreMigration(
      from: old, to: schema, content: SQLiteContent(old, database: database))
    func refusal(_ reason: String, _ issues: [GrootIssue]) -> GrootError {
      let first = GrootIssue(
        .storeModel,
        "the store '\(database.path)' was made for another model and \(reason); it is not changed")
      return GrootError(.storeModel, [first] + issues)
    }
    guard migration.obstacles.isEmpty else {
      throw refusal("cannot be migrated", migration.obstacles)
    }
    guard migration.losses.isEmpty || options.migration == .destructive else {
      throw refusal(
        "would lose data, unless \"migrate\" is \"destructive\"",
        migration.losses)
    }
    return migration
  }

  /// Refuses objects without an entity of the model, which would be lost silently.
  private func requireKnownEntities(_ old: StoreSchema) throws {
    let names = SQLiteLayout(old)
    for (table, name) in zip(old.tables, names.tables.map(\.name)) {
      let entities = table.entities.map(quotedText).joined(separator: ", ")
      let count = try database.integer(
        "SELECT count(*) FROM \(quoted(name)) WHERE _entity IS NULL OR _entity NOT IN (\(entities))"
      )
      guard count == 0 else {
        throw damaged("objects of '\(table.name)' have an unknown entity: \(count)")
      }
    }
  }

  private func rebuild(_ old: StoreSchema, migration: StoreMigration) throws {
    let names = SQLiteLayout(old)
    let definition = SQLiteDefinition(schema: schema, layout: layout)
    let hasViews = try dropViews()
    try dropIndexes()
    let sources = try setAside(names)
    for sql in definition.tables { try database.execute(sql) }
    for (table, source) in migration.tables.numbered(by: TableIndex.self) {
      guard let source else { continue }
      try copy(source, names: names, aside: sources.tables[source.table], to: table)
    }
    for (join, source) in migration.joins.enumerated() {
      guard let source else { continue }
      let isToBeTwinned = schema.joins[join].isSymmetric && !old.joins[source.join].isSymmetric
      try copy(source, aside: sources.joins[source.join], to: join, withTwins: isToBeTwinned)
    }
    for name in sources.joins + sources.tables {
      try database.execute("DROP TABLE \(quoted(name))")
    }
    try clearDanglingReferences()
    for sql in definition.indexes { try database.execute(sql) }
    if hasViews { try makeViews() }
    try setMetadata("model", to: schema.document.description)
    try setMetadata("structure", to: structure)
    // The names in these keys may belong to other relationships now.
    try database.execute("DELETE FROM _groot WHERE key LIKE '\(Self.positionPrefix)%'")
  }

  private func dropIndexes() throws {
    var names: [String] = []
    do {
      let statement = try SQLiteStatement(
        "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL "
          + "AND substr(name, 1, 1) = '_'", database: database)
      while try statement.step() { names.append(statement.string(0)) }
    }
    for name in names { try database.execute("DROP INDEX \(quoted(name))") }
  }

  /// Renames the old tables to unused names.
  private func setAside(_ names: SQLiteLayout) throws -> (tables: [String], joins: [String]) {
    func rename(_ name: String, _ kind: String, _ number: Int) throws -> String {
      let aside = "_old_\(kind)_\(number)"
      try database.execute("ALTER TABLE \(quoted(name)) RENAME TO \(quoted(aside))")
      return aside
    }
    let tables = try names.tables.enumerated().map { try rename($1.name, "table", $0) }
    let joins = try names.joins.enumerated().map { try rename($1, "join", $0) }
    return (tables, joins)
  }

  private func copy(
    _ source: StoreMigration.TableSource, names: SQLiteLayout, aside: String, to table: TableIndex
  ) throws {
    var parameters: [(Value, AttributeType)] = []
    func mark(_ value: Value, _ type: AttributeType) -> String {
      parameters.append((value, type))
      return "?"
    }
    let entity =
      "CASE _entity "
      + source.entities.map { old, new in
        "WHEN \(mark(.string(old), .string)) THEN \(mark(.string(new), .string))"
      }.joined(separator: " ") + " END"
    let values = source.columns.map { column -> String in
      switch column {
      case .column(let position, let asText):
        let name = quoted(names.tables[source.table].columns[position])
        return asText ? "CAST(\(name) AS TEXT)" : name
      case .value(.null, _, _): return "NULL"
      case .value(let value, let type, let entities):
        let old = source.entities.filter { entities.contains($0.new) }.map {
          mark(.string($0.old), .string)
        }
        return "CASE WHEN _entity IN (\(old.joined(separator: ", "))) THEN "
          + "\(mark(value, type)) END"
      }
    }
    let kept = source.entities.map { mark(.string($0.old), .string) }.joined(separator: ", ")
    let columns = (["_id", "_entity", "_version"] + layout.tables[table].columns.map(quoted))
      .joined(separator: ", ")
    let statement = try SQLiteStatement(
      "INSERT INTO \(layout.table(table)) (\(columns)) SELECT _id, \(entity), _version"
        + values.map { ", " + $0 }.joined() + " FROM \(quoted(aside)) WHERE _entity IN (\(kept)) "
        + "ORDER BY _id", database: database)
    try run(statement, parameters: parameters[...], first: 1)
    try copySequence(of: aside, to: layout.tables[table].name)
  }

  /// Copies the greatest key ever used, since even keys of deleted objects are never used again.
  private func copySequence(of aside: String, to name: String) throws {
    try database.execute(
      "DELETE FROM sqlite_sequence WHERE name = \(quotedText(name)); "
        + "INSERT INTO sqlite_sequence (name, seq) SELECT \(quotedText(name)), seq "
        + "FROM sqlite_sequence WHERE name = \(quotedText(aside))")
  }

  /// Runs a statement with its parameters, which must be valid during the call.
  private func run(
    _ statement: SQLiteStatement, parameters: ArraySlice<(Value, AttributeType)>, first: Int
  ) throws {
    for (offset, parameter) in parameters.enumerated() {
      parameter.0.withStored(parameter.1) {
        statement.bindCopy(first + offset, value: $0, as: parameter.1)
      }
    }
    try statement.run()
  }

  private func copy(
    _ source: StoreMigration.JoinSource, aside: String, to join: Int, withTwins: Bool
  ) throws {
    let columns = [
      "source, target, source_order, target_order", "target, source, target_order, source_order",
    ]
    let own = source.isSwapped ? 1 : 0
    for order in withTwins ? [own, 1 - own] : [own] {
      try database.execute(
        "INSERT OR IGNORE INTO \(quoted(layout.joins[join])) "
          + "(source, target, source_order, target_order) SELECT \(columns[order]) "
          + "FROM \(quoted(aside))")
    }
  }

  /// Clears references to objects whose entity was removed.
  private func clearDanglingReferences() throws {
    for (table, description) in schema.tables.numbered(by: TableIndex.self) {
      for (position, column) in description.columns.enumerated() {
        guard case .reference(let target) = column.kind else { continue }
        let name = layout.column(position, of: table)
        try database.execute(
          "UPDATE \(layout.table(table)) SET \(name) = NULL WHERE \(name) NOT IN "
            + "(SELECT _id FROM \(layout.table(target)))")
      }
    }
    for (number, join) in schema.joins.enumerated() {
      for (end, table) in [("source", join.source), ("target", join.target)] {
        try database.execute(
          "DELETE FROM \(quoted(layout.joins[number])) WHERE \(end) NOT IN "
            + "(SELECT _id FROM \(layout.table(table)))")
      }
    }
  }
}
