import Groot
import GrootSQL

// Finding the store in a database, or making one.

extension PostgreSQLStore {
  /// The table that describes the store.
  private static let metadata =
    "CREATE TABLE _groot (key text COLLATE \"C\" PRIMARY KEY, value text, number bigint)"
  private static let firstGeneration: Int64 = 1
  /// How often the tables are looked for again that another process makes at the same time.
  private static let attempts = 5

  func open() throws {
    try requireNames()
    var isNew = false
    for attempt in 1...Self.attempts {
      let found = try findSchema()
      if found.hasStore { break }
      guard options.creates else { throw lacksStore }
      do {
        try create(makesSchema: !found.isPresent)
        isNew = true
        note(.events, "made the store '\(address.shown)'")
        break
      } catch let failure as PostgreSQLFailure {
        rollBackOpening()
        // Another process makes the same tables.
        let isOfOthers =
          failure.isTransient || ["23505", "42P07", "42P06", "42710"].contains(failure.state)
        guard isOfOthers, attempt < Self.attempts else { throw error(failure) }
        if failure.state == "42P07", try !findSchema().hasStore {
          throw GrootError(
            .storeInvalid,
            "the schema '\(databaseSchema)' of '\(address.shown)' has tables of another program "
              + "(\(failure.message)): choose another one with groot.schema")
        }
      } catch {
        rollBackOpening()
        throw error
      }
    }
    if isNew {
      (generation, hasForeignKeys) = (Self.firstGeneration, options.hasForeignKeys)
    } else if try examine() != nil {
      try migrate()
    }
    if options.makesViews { try requireViews() }
    note(.events, "opened the store '\(address.shown)'")
  }

  var lacksStore: GrootError {
    GrootError(
      .fileError,
      "there is no store in the schema '\(databaseSchema)' of '\(address.shown)', and none is made")
  }

  /// Refuses names of entities that the server cannot hold as text.
  private func requireNames() throws {
    for name in schema.tables.lazy.flatMap(\.entities) where name.utf8.contains(0) {
      throw GrootError(
        .unsupported, "a store in PostgreSQL cannot have an entity whose name has a NUL in it")
    }
    for table in schema.tables where table.columns.count > 1_500 {
      throw GrootError(
        GrootIssue(
          .limitExceeded,
          "a store has one table for '\(table.name)' and the entities below it, which would need "
            + "\(table.columns.count + 3) columns; PostgreSQL takes some 1600", entity: table.name))
    }
  }

  /// Ends the transaction of an opening that failed.
  func rollBackOpening() {
    if connection.isOpen { _ = try? connection.run("ROLLBACK") }
  }

  /// Runs statements in a transaction of their own, and returns the last result with rows.
  func transaction(_ sql: String) throws -> PostgreSQLResult {
    do {
      return try begin("BEGIN; \(settings(isReading: false)); \(sql); COMMIT")
    } catch {
      rollBackOpening()
      throw error
    }
  }

  /// Chooses the schema of the tables.
  ///
  /// - Returns: Whether the schema exists, and whether it has a store.
  func findSchema() throws -> (isPresent: Bool, hasStore: Bool) {
    // A connection on which a backslash in a text would escape is refused.
    let chosen = options.schema.map(quotedText) ?? "current_schema()"
    let found = try transaction(
      "SELECT wanted, (SELECT count(*) FROM pg_namespace WHERE nspname = wanted), "
        + "(SELECT count(*) FROM information_schema.tables WHERE table_name = '_groot' "
        + "AND table_schema = wanted) FROM (SELECT CAST(\(chosen) AS text) AS wanted) AS chosen")
    guard found.count == 1, !found.isNull(0, 0) else {
      throw GrootError(
        .invalidArgument,
        "no schema of the search_path exists in '\(address.shown)': name one with groot.schema")
    }
    databaseSchema = found.text(0, 0)
    return (found.text(0, 1) != "0", found.text(0, 2) != "0")
  }

  // MARK: Creating

  /// - Parameter makesSchema: Whether the schema is made, which a role may have no right to.
  private func create(makesSchema: Bool) throws {
    let definition = SQLDefinition(schema: schema, layout: layout)
    var statements: [String] = []
    if makesSchema { statements.append("CREATE SCHEMA \(quoted(databaseSchema))") }
    statements.append(Self.metadata)
    statements += definition.tables + definition.indexes
    if options.hasForeignKeys { statements += definition.constraints }
    statements += comments
    statements += metadataRows(generation: Self.firstGeneration)
    // Without parameters all of it is one message.
    let all = ["BEGIN", settings(isReading: false)] + statements + ["COMMIT"]
    try connection.run(all.joined(separator: "; "))
  }

  /// The statements that tell people about the tables.
  var comments: [String] {
    var texts = [
      "COMMENT ON TABLE _groot IS 'The model of the Groot store in this schema, and its counters'"
    ]
    for (table, description) in schema.tables.numbered(by: TableIndex.self) {
      let names = description.entities.joined(separator: ", ")
      texts.append(
        "COMMENT ON TABLE \(layout.table(table)) IS "
          + quotedText("A row for each object of the entities \(names); kept by Groot"))
    }
    for (number, join) in schema.joins.enumerated() {
      texts.append(
        "COMMENT ON TABLE \(quoted(layout.joins[number])) IS "
          + quotedText(
            "A row for each link of \(join.entity).\(withoutNUL(join.property)); kept by Groot"))
    }
    return texts
  }

  /// The statements that describe the store, for a new store.
  private func metadataRows(generation: Int64) -> [String] {
    func row(_ key: String, _ value: String?, _ number: Int64) -> String {
      "INSERT INTO _groot (key, value, number) VALUES (\(quotedText(key)), "
        + "\(value.map(quotedText) ?? "NULL"), \(number))"
    }
    return [
      row("format", nil, Self.format), row("model", schema.document.description, generation),
      row("structure", JSONValue.string(structure.text).description, 0),
      row("foreign keys", nil, options.hasForeignKeys ? 1 : 0), row("commits", nil, 0),
    ] + counters.map { row($0, nil, 1) }
  }

  var structure: SQLStructure { SQLStructure(schema, layout: layout, store: address.shown) }

  // MARK: Examining

  /// Compares the model that the store describes with its tables.
  ///
  /// - Returns: The schema that the store was made for; nil when it is this store's schema.
  /// - Throws: ``Status/storeInvalid`` when the two differ.
  func examine() throws -> SQLStructure.Described? {
    let found = try metadata()
    generation = found.generation
    hasForeignKeys = found.hasForeignKeys
    guard Name(found.structure) != Name(structure.text) else {
      try require(schema, layout: layout)
      return nil
    }
    let old = try structure.described(model: found.model, structure: found.structure)
    try require(old.schema, layout: old.layout)
    return old
  }

  /// The description that a store has of itself.
  struct Metadata {
    let format: Int64
    let model: String
    let generation: Int64
    let structure: String
    let hasForeignKeys: Bool
  }

  func metadata() throws -> Metadata {
    let rows = try transaction(
      "SELECT key, value, number FROM _groot "
        + "WHERE key IN ('format', 'model', 'structure', 'foreign keys')")
    var found: [String: (value: String, number: Int64)] = [:]
    for row in 0..<rows.count {
      found[rows.text(row, 0)] = (rows.text(row, 1), Int64(rows.text(row, 2)) ?? 0)
    }
    guard let format = found["format"]?.number, format > 0, let model = found["model"],
      let text = found["structure"]?.value,
      case .string(let described)? = try? JSONValue(parsing: text)
    else { throw damaged("it lacks its description") }
    guard format <= Self.format else {
      throw GrootError(
        .storeTooNew,
        "the store '\(address.shown)' has the format \(format); this version knows \(Self.format)")
    }
    return Metadata(
      format: format, model: model.value, generation: model.number, structure: described,
      hasForeignKeys: found["foreign keys"]?.number != 0)
  }

  /// Requires the columns and the indexes of a schema.
  func require(_ schema: StoreSchema, layout: SQLLayout) throws {
    let schemaName = quotedText(databaseSchema)
    let found = try transaction(
      "SELECT CAST(table_name AS text), CAST(column_name AS text), CAST(data_type AS text) "
        + "FROM information_schema.columns WHERE table_schema = \(schemaName) "
        + "UNION ALL SELECT NULL, CAST(indexname AS text), NULL FROM pg_indexes "
        + "WHERE schemaname = \(schemaName)")
    var present: Set<[String]> = []
    var indexes: Set<String> = []
    for row in 0..<found.count {
      if found.isNull(row, 0) {
        indexes.insert(found.text(row, 1))
      } else {
        present.insert([found.text(row, 0), found.text(row, 1), found.text(row, 2)])
      }
    }
    func require(_ table: String, _ column: String, _ type: PostgreSQLType) throws {
      guard present.contains([table, column, type.name]) else {
        throw damaged(
          "the column '\(column)' of the table '\(table)', of the type \(type.name), is missing, or was "
            + "changed")
      }
    }
    for (number, table) in schema.tables.numbered(by: TableIndex.self) {
      let names = layout.tables[number]
      try require(names.name, "_id", .integer)
      try require(names.name, "_entity", .text)
      try require(names.name, "_version", .integer)
      for (position, column) in table.columns.enumerated() {
        var type = PostgreSQLType.integer
        if case .attribute(let attribute) = column.kind { type = PostgreSQLType(attribute) }
        try require(names.name, names.columns[position], type)
      }
    }
    for name in layout.joins {
      for column in ["source", "target", "source_order", "target_order"] {
        try require(name, column, .integer)
      }
    }
    let definition = SQLDefinition(schema: schema, layout: layout)
    for index in definition.allIndexes where !indexes.contains(index.name) {
      throw damaged("this is missing: \(index.sql)")
    }
  }
}
