import CSQLite
import Groot
import GrootSQL

// Checks of a file: whether it is a valid store, without reading objects, and of which model.

extension SQLiteStore {
  /// Refuses a model that is too large for SQLite.
  static func requireRoom(_ schema: StoreSchema) throws {
    // A row also has a key, an entity and a version.
    let widths = schema.tables.map { $0.columns.count + SQLiteRowSource.leading.count }
    guard let widest = widths.max(), widest > 100 else { return }
    let limit = Int(groot_sqlite_column_limit())
    for (table, width) in zip(schema.tables, widths) where width > limit {
      throw GrootError(
        GrootIssue(
          .limitExceeded,
          "a store has one table for '\(table.name)' and the entities below it, which would need "
            + "\(width) columns; SQLite takes \(limit)", entity: table.name))
    }
  }

  /// Refuses a file that is not a store, and returns whether the file is empty.
  func check() throws -> Bool {
    if case .plain(let size) = SQLiteDatabase.file(at: try SQLiteDatabase.fileName(database.path)),
      (1..<Self.smallestPage).contains(size)
    {
      // SQLite treats a file of one byte as empty.
      throw GrootError(.storeInvalid, "the file '\(database.path)' is not an SQLite database")
    }
    let application = try database.integer("PRAGMA application_id")
    let format = try fileFormat()
    if application == 0 && format == 0,
      try database.integer("SELECT count(*) FROM sqlite_master") == 0
    {
      return true
    }
    guard application == Self.applicationID else {
      throw GrootError(
        .storeInvalid,
        "the file '\(database.path)' is an SQLite database of another program, not a store")
    }
    guard format <= Self.format else {
      throw GrootError(
        .storeTooNew,
        "the store '\(database.path)' has the format \(format); this version knows \(Self.format)")
    }
    guard format > 0 else { throw damaged("its format is \(format)") }
    return false
  }

  /// The smallest size of a database in bytes.
  private static let smallestPage: Int64 = 512

  /// Calls ``examine(_:)`` in a separate transaction.
  func examineSnapshot(_ options: SQLiteStoreOptions) throws -> SQLStructure.Described? {
    try beginReading()
    defer { endReading() }
    return try examine(options)
  }

  /// Compares the model that the file describes with its tables and indexes.
  ///
  /// - Returns: The tables of the schema that the store was made for; nil when it is this store's
  ///   schema.
  /// - Throws: ``Status/storeInvalid`` when the two differ, or when the file has triggers that
  ///   the options do not allow.
  func examine(_ options: SQLiteStoreOptions) throws -> SQLStructure.Described? {
    let present = try definitions(options)
    guard present.contains(Name(SQLiteDialect.metadata)) else {
      throw damaged("its table '_groot' is missing, or was changed")
    }
    let found = try metadata("structure")
    let structure = try structureInFile()
    let isOfModel = Name(found) == Name(structure.text)
    let tables =
      isOfModel
      ? structure.tables
      : try structure.described(model: metadata("model"), structure: found)
    try require(tables.statements, present: present)
    return try isOfModel && fileFormat() == Self.format ? nil : tables
  }

  /// Returns the statements that created all tables and indexes.
  private func definitions(_ options: SQLiteStoreOptions) throws -> Set<Name> {
    var found: Set<Name> = []
    let statement = try SQLiteStatement(
      "SELECT type, name, sql, tbl_name FROM sqlite_master", database: database)
    while try statement.step() {
      // A view is harmless: nothing here reads it, and the connection refuses to.
      if !options.allowsTriggers, statement.string(0) == "trigger",
        Name(statement.string(2)) != Name(VersionTrigger(table: statement.string(3)).sql)
      {
        throw GrootError(
          .storeInvalid,
          "the store '\(database.path)' has a trigger, '\(statement.string(1))', which would run "
            + "inside saves; the option \"triggers\" allows it")
      }
      found.insert(Name(statement.string(2)))
    }
    return found
  }

  private func require(_ statements: [String], present: Set<Name>) throws {
    for sql in statements where !present.contains(Name(sql)) {
      throw damaged("this is missing, or was changed: \(sql)")
    }
  }

  // MARK: The described model

  /// The description of this store's schema.
  var structure: SQLStructure { SQLStructure(schema, layout: layout, store: database.path) }

  /// Returns the description of this store's schema in the format of the file.
  func structureInFile() throws -> SQLStructure {
    let format = try fileFormat()
    if format == Self.format { return structure }
    let layout = SQLLayout(schema, dialect: SQLiteDialect(format: format))
    return SQLStructure(schema, layout: layout, store: database.path)
  }

  /// Returns the version of the format in the header of the file.
  func fileFormat() throws -> Int64 { try database.integer("PRAGMA user_version") }

  /// Returns an entry of the description that every store has.
  func metadata(_ key: String) throws -> String {
    guard let value = try optionalMetadata(key) else { throw lacks(key) }
    return value
  }

  /// Returns an entry of the description; nil if the store has none of this key.
  func optionalMetadata(_ key: String) throws -> String? {
    let statement = try SQLiteStatement(
      "SELECT value FROM _groot WHERE key = ?", database: database)
    statement.bind(1, text: key)
    guard try statement.step() else { return nil }
    guard let value = statement.value(0, as: .string), value.isPresent else { throw lacks(key) }
    return String(decoding: value.bytes, as: UTF8.self)
  }

  // MARK: Notes

  func note(_ name: String) throws -> String? {
    try optionalMetadata(SQLDefinition.notePrefix + name)
  }

  func eachNote(_ body: (String, String) throws -> Void) throws {
    let statement = try SQLiteStatement(
      "SELECT substr(key, \(SQLDefinition.notePrefix.utf8.count + 1)), value FROM _groot "
        + "WHERE key LIKE '\(SQLDefinition.notePrefix)%' ORDER BY key", database: database)
    while try statement.step() { try body(statement.string(0), statement.string(1)) }
  }

  func setNote(_ name: String, to text: String?) throws {
    let key = SQLDefinition.notePrefix + name
    if let text { return try setMetadata(key, to: text) }
    let statement = try SQLiteStatement("DELETE FROM _groot WHERE key = ?", database: database)
    statement.bind(1, text: key)
    try statement.run()
  }

  private func lacks(_ key: String) -> GrootError {
    damaged("it lacks its description ('\(key)')")
  }
}
