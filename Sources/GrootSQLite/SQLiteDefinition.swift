import Groot

/// The SQL that creates the tables and indexes of a schema.
struct SQLiteDefinition {
  let schema: StoreSchema
  let layout: SQLiteLayout

  /// An index other than the primary key.
  struct Index {
    let name: String
    let table: String
    let columns: [String]
    var isUnique = false
    /// The condition for rows in the index; nil for all rows.
    var condition: String?

    var sql: String {
      "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(quoted(name)) ON \(quoted(table)) "
        + "(\(columns.joined(separator: ", ")))" + (condition.map { " WHERE " + $0 } ?? "")
    }
  }

  /// The SQL of the table that describes the store.
  static let metadata = "CREATE TABLE _groot (key TEXT PRIMARY KEY, value) WITHOUT ROWID"
  /// The beginning of the SQL of indexes for identities and for one-to-one relationships.
  static let uniqueIndex = "CREATE UNIQUE INDEX "

  /// All statements in the order in which they must run.
  var statements: [String] { tables + indexes }

  /// The statements that create the tables.
  var tables: [String] { schema.tableIndices.map(table) + schema.joins.indices.map(join) }

  /// The statements that create the indexes.
  var indexes: [String] {
    schema.tableIndices.flatMap { indexes($0).map(\.sql) }
      + schema.joins.indices.map { index(ofJoin: $0).sql }
  }

  private func table(_ number: TableIndex) -> String {
    let table = schema.tables[number]
    var parts = ["_id INTEGER PRIMARY KEY AUTOINCREMENT", "_entity TEXT NOT NULL"]
    parts.append("_version INTEGER NOT NULL")
    for (position, column) in table.columns.enumerated() {
      parts.append(layout.column(position, of: number) + self.type(column))
    }
    return "CREATE TABLE \(layout.table(number)) (\(parts.joined(separator: ", ")))"
  }

  private func type(_ column: StoreSchema.TableColumn) -> String {
    switch column.kind {
    case .position: " INTEGER"
    case .reference(let table):
      " INTEGER REFERENCES \(layout.table(table)) (_id)"
        + " DEFERRABLE INITIALLY DEFERRED"
    case .attribute(let type):
      switch type {
      case .integer16, .integer32, .integer64, .date, .boolean: " INTEGER"
      // A column of the type REAL would turn -0.0 into 0.0.
      case .double, .float: ""
      case .binary: " BLOB"
      case .string, .uri, .day, .uuid, .decimal, .transformable, .composite: " TEXT"
      }
    }
  }

  /// Returns the indexes of a table: of references, then of identities.
  func indexes(_ number: TableIndex) -> [Index] {
    let (table, names) = (schema.tables[number], layout.tables[number])
    var result: [Index] = []
    for (position, column) in table.columns.enumerated() {
      guard case .reference = column.kind else { continue }
      result.append(
        Index(
          name: names.references[position] ?? "", table: names.name,
          columns: [quoted(names.columns[position])], isUnique: column.isExclusive))
    }
    for (position, identity) in table.identities.enumerated() {
      result.append(
        Index(
          name: names.identities[position], table: names.name,
          columns: identity.columns.map { quoted(names.columns[$0]) } + ["_entity"],
          isUnique: true,
          condition: indexedEntities(table, identity: identity).map { "_entity IN (\($0))" }))
    }
    return result
  }

  private func join(_ number: Int) -> String {
    let join = schema.joins[number]
    func reference(_ table: TableIndex) -> String {
      "INTEGER NOT NULL REFERENCES \(layout.table(table)) (_id)"
        + " DEFERRABLE INITIALLY DEFERRED"
    }
    return "CREATE TABLE \(quoted(layout.joins[number])) (source \(reference(join.source)), "
      + "target \(reference(join.target)), source_order INTEGER NOT NULL, "
      + "target_order INTEGER NOT NULL, PRIMARY KEY (source, target)) WITHOUT ROWID"
  }

  /// Returns the index that finds the sources of a target.
  func index(ofJoin number: Int) -> Index {
    Index(name: layout.targets[number], table: layout.joins[number], columns: ["target"])
  }
}

/// Returns the names of the entities in an identity's index, as SQL; nil when it has all entities.
func indexedEntities(_ table: StoreSchema.Table, identity: StoreSchema.Identity) -> String? {
  guard identity.entities.count < table.entities.count else { return nil }
  return identity.entities.map { quotedText(table.entities[$0]) }.joined(separator: ", ")
}
