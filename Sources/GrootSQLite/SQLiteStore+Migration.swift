import Groot
import GrootSQL

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
    try requireMigrates(options)
    // The migration is checked before the backup, so that a refusal leaves no copy.
    if let old = try examine(options) { _ = try rebuild(from: old, options) }
    // SQLite ignores this pragma inside a transaction.
    try database.execute("PRAGMA foreign_keys = OFF")
    defer { try? database.execute("PRAGMA foreign_keys = ON") }
    // A view of another program keeps the names of tables that are set aside.
    try database.execute("PRAGMA legacy_alter_table = ON")
    defer { try? database.execute("PRAGMA legacy_alter_table = OFF") }
    if let path = options.backup { try backUp(to: path) }
    try inTransaction {
      // Another process may have migrated the store meanwhile.
      if let old = try examine(options) { try run(rebuild(from: old, options)) }
    }
  }

  /// Refuses a store of another model where the options do not allow its migration; a store of the same
  /// model in another format passes.
  func requireMigrates(_ options: SQLiteStoreOptions) throws {
    guard options.migration == .refused else { return }
    let found = try metadata("structure")
    let own = try structureInFile()
    if Name(found) != Name(own.text) { throw own.differences(found) }
  }

  private func backUp(to path: String) throws {
    database.note(.events, "copying the store '\(database.path)' to '\(path)'")
    let statement = try SQLiteStatement("VACUUM INTO ?", database: database)
    statement.bind(1, text: try SQLiteDatabase.fileName(path))
    try statement.run()
  }

  private func rebuild(
    from old: SQLStructure.Described, _ options: SQLiteStoreOptions
  ) throws -> SQLRebuild {
    try SQLRebuild(
      from: old, to: schema, layout: layout, rule: options.migration, store: database.path,
      runner: database)
  }

  private func run(_ rebuild: SQLRebuild) throws {
    let definition = SQLDefinition(schema: schema, layout: layout)
    let hasViews = try dropViews()
    let triggers = try VersionTrigger.all(in: database)
    for trigger in triggers { try trigger.drop(in: database) }
    try dropIndexes()
    try execute(rebuild.settingAside)
    try execute(definition.tables)
    for copy in rebuild.copies {
      let statement = try SQLiteStatement(copy.statement.text, database: database)
      statement.bindCopies(of: copy.statement.parameters)
      try statement.run()
      try copySequence(of: copy.aside, to: copy.name)
    }
    try execute(rebuild.linkCopies)
    try execute(rebuild.drops)
    try execute(rebuild.clearings)
    try execute(definition.indexes)
    if hasViews { try makeViews() }
    if !triggers.isEmpty { for trigger in versionTriggers { try trigger.make(in: database) } }
    try setMetadata("model", to: schema.document.description)
    try setMetadata("structure", to: structure.text)
    try markFormat()
    // The names in these keys may belong to other relationships now.
    try database.execute("DELETE FROM _groot WHERE key LIKE '\(Self.positionPrefix)%'")
  }

  private func execute(_ statements: [String]) throws {
    for sql in statements { try database.execute(sql) }
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

  /// Copies the greatest key ever used, since even keys of deleted objects are never used again.
  private func copySequence(of aside: String, to name: String) throws {
    try database.execute(
      "DELETE FROM sqlite_sequence WHERE name = \(quotedText(name)); "
        + "INSERT INTO sqlite_sequence (name, seq) SELECT \(quotedText(name)), seq "
        + "FROM sqlite_sequence WHERE name = \(quotedText(aside))")
  }
}
