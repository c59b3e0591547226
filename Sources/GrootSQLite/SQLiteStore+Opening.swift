import CSQLite
import Groot

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
    let format = try database.integer("PRAGMA user_version")
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
  func examineSnapshot(_ options: SQLiteStoreOptions) throws -> StoreSchema? {
    try beginReading()
    defer { endReading() }
    return try examine(options)
  }

  /// Compares the model that the file describes with its tables and indexes.
  ///
  /// - Returns: The schema that the store was made for, without identities; nil when it is this
  ///   store's schema.
  /// - Throws: ``Status/storeInvalid`` when the two differ, or when the file has triggers that
  ///   the options do not allow.
  func examine(_ options: SQLiteStoreOptions) throws -> StoreSchema? {
    let present = try definitions(options)
    guard present.contains(Name(SQLiteDefinition.metadata)) else {
      throw damaged("its table '_groot' is missing, or was changed")
    }
    let found = try metadata("structure")
    guard Name(found) != Name(structure) else {
      try require(SQLiteDefinition(schema: schema, layout: layout).statements, present: present)
      return nil
    }
    guard let document = try? JSONValue(parsing: metadata("model")),
      let old = try? StoreSchema(document: document)
    else { throw damaged("its model cannot be read") }
    let definition = SQLiteDefinition(schema: old, layout: SQLiteLayout(old))
    let lines = Set(Self.lines(found).map(Name.init))
    let known = Set((definition.statements + old.lines).map(Name.init))
    // Identities belong to a mapping, which the store does not keep.
    let identities = lines.subtracting(known)
    guard known.isSubset(of: lines),
      identities.allSatisfy({ $0.text.utf8.starts(with: SQLiteDefinition.uniqueIndex.utf8) })
    else { throw damaged("its model and its structure do not fit together") }
    try require(definition.statements + identities.map(\.text), present: present)
    return old
  }

  /// Returns the statements that created all tables and indexes.
  private func definitions(_ options: SQLiteStoreOptions) throws -> Set<Name> {
    var found: Set<Name> = []
    let statement = try SQLiteStatement(
      "SELECT type, name, sql FROM sqlite_master", database: database)
    while try statement.step() {
      // A view is harmless: nothing here reads it, and the connection refuses to.
      if !options.allowsTriggers && statement.string(0) == "trigger" {
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

  /// The schema in lines, whose comparison reveals a store of another model.
  var structure: String {
    (SQLiteDefinition(schema: schema, layout: layout).statements + schema.lines).map(Self.line)
      .map(Name.init).sorted().map(\.text).joined(separator: "\n")
  }

  /// Returns a text as one line, with escaped line ends.
  private static func line(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == newline || $0 == backslash }) else { return text }
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case newline: bytes += [backslash, UInt8(ascii: "n")]
      case backslash: bytes += [backslash, backslash]
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the texts of lines, with unescaped line ends.
  private static func lines(_ structure: String) -> [String] {
    structure.utf8.split(separator: newline).map { line in
      var bytes: [UInt8] = []
      var isEscaped = false
      for byte in line {
        if isEscaped {
          bytes.append(byte == UInt8(ascii: "n") ? newline : byte)
          isEscaped = false
        } else if byte == backslash {
          isEscaped = true
        } else {
          bytes.append(byte)
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  private static let newline = UInt8(ascii: "\n")
  private static let backslash = UInt8(ascii: "\\")

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

  private func lacks(_ key: String) -> GrootError {
    damaged("it lacks its description ('\(key)')")
  }

  /// Returns an error with the additional and the missing parts of the store.
  func differences(_ found: String) -> GrootError {
    let lines = Set(Self.lines(structure).map(Name.init))
    let old = Set(Self.lines(found).map(Name.init))
    let issues =
      old.subtracting(lines).sorted().map { "the store has: \($0.text)" }
      + lines.subtracting(old).sorted().map { "the model needs: \($0.text)" }
    let first = GrootIssue(
      .storeModel, "the store '\(database.path)' was made for another model; it is not changed")
    return GrootError(.storeModel, [first] + issues.map { GrootIssue(.storeModel, $0) })
  }
}
