import Groot

/// The SQL that makes the tables and indexes of a schema.
struct SQLiteDefinition {
  let schema: StoreSchema
  let layout: SQLiteLayout

  /// An index besides the primary key.
  struct Index {
    let name: String
    let table: String
    let columns: [String]
    var isUnique = false
    /// The rows it is for; nil for all.
    var condition: String?

    var sql: String {
      "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(quoted(name)) ON \(quoted(table)) "
        + "(\(columns.joined(separator: ", ")))" + (condition.map { " WHERE " + $0 } ?? "")
    }
  }

  /// The table with what the file was made for.
  static let metadata = "CREATE TABLE _groot (key TEXT PRIMARY KEY, value) WITHOUT ROWID"
  /// The beginning of the statements of identities' indexes, and of those of partners.
  static let uniqueIndex = "CREATE UNIQUE INDEX "

  /// All statements, in an order in which they can run.
  var statements: [String] { tables + indexes }

  /// Those that make the tables.
  var tables: [String] { schema.tableIndices.map(table) + schema.joins.indices.map(join) }

  /// Those that make the indexes.
  var indexes: [String] {
    schema.tableIndices.flatMap { indexes($0).map(\.sql) }
      + schema.joins.indices.map { index(ofJoin: $0).sql }
  }

  private func table(_ number: TableIndex) -> String {
    let table = schema.tables[number]
    var parts = ["_id INTEGER PRIMARY KEY AUTOINCREMENT", "_entity TEXT NOT NULL"]
    parts.append("_version INTEGER NOT NULL")
    for (position, column) in table.columns.enumerated() {
      parts.append(quoted(layout.tables[number].columns[position]) + self.type(column))
    }
    return "CREATE TABLE \(quoted(layout.tables[number].name)) (\(parts.joined(separator: ", ")))"
  }

  private func type(_ column: StoreSchema.TableColumn) -> String {
    switch column.kind {
    case .position: " INTEGER"
    case .reference(let table):
      " INTEGER REFERENCES \(quoted(layout.tables[table].name)) (_id)"
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

  /// The indexes of a table: of references, then of identities.
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
      "INTEGER NOT NULL REFERENCES \(quoted(layout.tables[table].name)) (_id)"
        + " DEFERRABLE INITIALLY DEFERRED"
    }
    return "CREATE TABLE \(quoted(layout.joins[number])) (source \(reference(join.source)), "
      + "target \(reference(join.target)), source_order INTEGER NOT NULL, "
      + "target_order INTEGER NOT NULL, PRIMARY KEY (source, target)) WITHOUT ROWID"
  }

  /// The index by which the sources of a target are found.
  func index(ofJoin number: Int) -> Index {
    Index(name: layout.targets[number], table: layout.joins[number], columns: ["target"])
  }
}

/// The names of the entities that an identity's index is for, as SQL writes them; nil when it is
/// for all.
func indexedEntities(_ table: StoreSchema.Table, identity: StoreSchema.Identity) -> String? {
  guard identity.entities.count < table.entities.count else { return nil }
  return identity.entities.map { quotedText(table.entities[$0]) }.joined(separator: ", ")
}
