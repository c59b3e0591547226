import Groot

/// The SQL that creates the tables, indexes and constraints of a schema.
package struct SQLDefinition {
  private let schema: StoreSchema
  private let layout: SQLLayout
  private var dialect: any SQLDialect { layout.dialect }

  /// An index other than the primary key.
  package struct Index {
    /// The name of the index.
    package let name: String
    /// The name of the table.
    package let table: String
    /// The columns as SQL writes them.
    package let columns: [String]
    /// Whether no two rows have the same values.
    package var isUnique = false
    /// The condition for rows in the index; nil for all rows.
    package var condition: String?

    /// The statement that creates the index.
    package var sql: String {
      "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(quoted(name)) ON \(quoted(table)) "
        + "(\(columns.joined(separator: ", ")))" + (condition.map { " WHERE " + $0 } ?? "")
    }
  }

  /// The beginning of the SQL of indexes for identities and for one-to-one relationships.
  package static let uniqueIndex = "CREATE UNIQUE INDEX "

  /// The beginning of the keys of notes in the table `_groot`.
  package static let notePrefix = "note "

  /// Makes the definition of a schema with the names of its layout.
  package init(schema: StoreSchema, layout: SQLLayout) {
    self.schema = schema
    self.layout = layout
  }

  /// All statements in the order in which they must run.
  package var statements: [String] { tables + indexes + constraints }

  /// The statements that create the tables.
  package var tables: [String] { schema.tableIndices.map(table) + schema.joins.indices.map(join) }

  /// The indexes of all tables.
  package var allIndexes: [Index] {
    schema.tableIndices.flatMap { indexes($0) } + schema.joins.indices.map { index(ofJoin: $0) }
  }

  /// The statements that create the indexes.
  package var indexes: [String] { allIndexes.map(\.sql) }

  /// The statements that add references to the tables; none when the tables have them.
  package var constraints: [String] {
    foreignKeys.map {
      "ALTER TABLE \(quoted($0.table)) ADD CONSTRAINT \(quoted($0.name)) "
        + "FOREIGN KEY (\($0.column)) REFERENCES \(layout.table($0.target)) (_id)"
    }
  }

  /// The statements that drop what ``constraints`` adds, if it is there.
  package var constraintDrops: [String] {
    foreignKeys.map {
      "ALTER TABLE \(quoted($0.table)) DROP CONSTRAINT IF EXISTS \(quoted($0.name))"
    }
  }

  /// The statements that drop what ``indexes`` makes.
  package var indexDrops: [String] {
    (schema.tableIndices.flatMap { indexes($0) } + schema.joins.indices.map { index(ofJoin: $0) })
      .map { "DROP INDEX \(quoted($0.name))" }
  }

  /// The statements that drop the primary keys, which have names.
  package var keyDrops: [String] {
    primaryKeys.map { "ALTER TABLE \(quoted($0.table)) DROP CONSTRAINT \(quoted($0.name))" }
  }

  /// The statements that make the primary keys again.
  package var keys: [String] {
    primaryKeys.map {
      "ALTER TABLE \(quoted($0.table)) ADD CONSTRAINT \(quoted($0.name)) PRIMARY KEY (\($0.columns))"
    }
  }

  private var primaryKeys: [(table: String, name: String, columns: String)] {
    layout.tables.compactMap { table in table.key.map { (table.name, $0, "_id") } }
      + zip(layout.joins, layout.joinKeys).compactMap { join, names in
        names.map { (join, $0.key, "source, target") }
      }
  }

  /// A reference that has a name.
  struct ForeignKey {
    /// The name of the constraint.
    let name: String
    /// The name of the table with the reference.
    let table: String
    /// The column as SQL writes it.
    let column: String
    /// The table that the reference leads to.
    let target: TableIndex
  }

  /// The references that are constraints with names.
  var foreignKeys: [ForeignKey] {
    guard dialect.namesConstraints else { return [] }
    var keys: [ForeignKey] = []
    for (number, table) in schema.tables.numbered(by: TableIndex.self) {
      let names = layout.tables[number]
      for (position, column) in table.columns.enumerated() {
        guard case .reference(let target) = column.kind, let name = names.references[position]
        else { continue }
        keys.append(
          ForeignKey(
            name: name, table: names.name, column: quoted(names.columns[position]), target: target))
      }
    }
    for (number, join) in schema.joins.enumerated() {
      let table = layout.joins[number]
      if let source = layout.joinKeys[number]?.source {
        keys.append(ForeignKey(name: source, table: table, column: "source", target: join.source))
      }
      keys.append(
        ForeignKey(
          name: layout.targets[number], table: table, column: "target", target: join.target))
    }
    return keys
  }

  private func references(_ table: TableIndex) -> String {
    " REFERENCES \(layout.table(table)) (_id) DEFERRABLE INITIALLY DEFERRED"
  }

  // MARK: Tables

  private func table(_ number: TableIndex) -> String {
    let table = schema.tables[number]
    let key = layout.tables[number].key.map { " CONSTRAINT \(quoted($0)) PRIMARY KEY" } ?? ""
    // SQL would end at a NUL, and an expression for one is not the default that other programs read.
    let hasDefault = dialect.hasDefaults && table.hasRootObjects && !table.name.utf8.contains(0)
    let entity = hasDefault ? " DEFAULT \(quotedText(table.name))" : ""
    let version = dialect.hasDefaults ? " DEFAULT 1" : ""
    var parts = ["_id \(dialect.keyType)\(key)"]
    parts.append("_entity \(dialect.type(.string)) NOT NULL\(entity)")
    parts.append("_version \(dialect.type(.integer64)) NOT NULL\(version)")
    var references: [String] = []
    let name = layout.tables[number].name
    for (position, column) in table.columns.enumerated() {
      let type = type(column)
      parts.append(layout.column(position, of: number) + (type.isEmpty ? "" : " " + type))
      guard dialect.namesReferences, case .reference(let target) = column.kind else { continue }
      references.append(
        constraint(layout.tables[number].columns[position], of: name, to: target))
    }
    return "CREATE TABLE \(quoted(name)) (\((parts + references).joined(separator: ", ")))"
  }

  /// A column's reference as a part of its table, whose name has quotes only where it needs them: older
  /// versions of SQLAlchemy read no others.
  private func constraint(_ column: String, of table: String, to target: TableIndex) -> String {
    let full = "fk_\(table)_\(column)"
    let name = hasPlainLetters(full) ? full : quoted(full)
    return "CONSTRAINT \(name) FOREIGN KEY (\(quoted(column)))" + references(target)
  }

  /// Whether references are parts of their columns.
  private var refersInColumns: Bool { !dialect.namesConstraints && !dialect.namesReferences }

  private func type(_ column: StoreSchema.TableColumn) -> String {
    switch column.kind {
    case .position: dialect.type(.integer64)
    case .reference(let table):
      dialect.type(.integer64) + (refersInColumns ? references(table) : "")
    case .attribute(let type): dialect.type(type)
    }
  }

  private func join(_ number: Int) -> String {
    let join = schema.joins[number]
    let integer = "\(dialect.type(.integer64)) NOT NULL"
    func reference(_ table: TableIndex) -> String {
      integer + (refersInColumns ? references(table) : "")
    }
    let name = layout.joins[number]
    let key = layout.joinKeys[number].map { "CONSTRAINT \(quoted($0.key)) " } ?? ""
    var named = ""
    if dialect.namesReferences {
      named = ", " + constraint("source", of: name, to: join.source)
      named += ", " + constraint("target", of: name, to: join.target)
    }
    return "CREATE TABLE \(quoted(name)) (source \(reference(join.source)), "
      + "target \(reference(join.target)), source_order \(integer), "
      + "target_order \(integer), \(key)PRIMARY KEY (source, target)\(named))\(dialect.joinOptions)"
  }

  // MARK: Indexes

  /// Returns the indexes of a table: of references, then of identities.
  package func indexes(_ number: TableIndex) -> [Index] {
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
      let hasEntity = identity.entities.count > 1 || dialect.indexesSingleEntities
      result.append(
        Index(
          name: names.identities[position], table: names.name,
          columns: identity.columns.map { quoted(names.columns[$0]) }
            + (hasEntity ? ["_entity"] : []),
          isUnique: true,
          condition: indexedEntities(table, identity: identity).map { "_entity IN (\($0))" }))
    }
    return result
  }

  /// Returns the index that finds the sources of a target.
  package func index(ofJoin number: Int) -> Index {
    Index(name: layout.targets[number], table: layout.joins[number], columns: ["target"])
  }
}

/// Returns the names of the entities in an identity's index, as SQL; nil when it has all entities.
package func indexedEntities(
  _ table: StoreSchema.Table, identity: StoreSchema.Identity
) -> String? {
  guard identity.entities.count < table.entities.count else { return nil }
  return identity.entities.map { quotedText(table.entities[$0]) }.joined(separator: ", ")
}
