import Groot

/// The SQL that brings the tables of a store to another schema.
///
/// The old tables are set aside. New tables are created, filled from the old tables, and replace
/// them. Objects keep their keys and versions. A store drops its indexes, and runs in one
/// transaction: `settingAside`, the tables of ``SQLDefinition``, `copies`, `linkCopies`, `drops`,
/// `clearings`, and the other statements of the definition.
package struct SQLRebuild {
  /// A statement with its parameters.
  package struct Statement {
    /// The SQL.
    package let text: String
    /// The parameters, in the order of their marks.
    package let parameters: [SQLQuery.Parameter]
  }

  /// The statement that copies the objects of a table.
  package struct Copy {
    /// The statement.
    package let statement: Statement
    /// The name of the old table, which is set aside.
    package let aside: String
    /// The name of the new table.
    package let name: String
  }

  private let old: StoreSchema
  private let names: SQLLayout
  private let schema: StoreSchema
  private let layout: SQLLayout
  private let migration: StoreMigration
  private var dialect: any SQLDialect { layout.dialect }

  /// Decides how the objects of a store come into the tables of another schema.
  ///
  /// - Parameters:
  ///   - old: The present tables.
  ///   - schema: The new schema.
  ///   - layout: The names of the new schema.
  ///   - rule: Whether losses are allowed.
  ///   - store: The name of the store in messages.
  ///   - runner: The connection that counts what is in the store.
  /// - Throws: ``Status/storeModel`` with an issue for each difference that cannot be migrated or
  ///   would lose something; ``Status/storeInvalid`` for objects of unknown entities.
  package init(
    from old: SQLStructure.Described, to schema: StoreSchema, layout: SQLLayout,
    rule: StoreMigrationRule, store: String, runner: any SQLRunner
  ) throws {
    self.old = old.schema
    names = old.layout
    self.schema = schema
    self.layout = layout
    try Self.requireKnownEntities(
      old, runner: runner, structure: SQLStructure(schema, layout: layout, store: store))
    migration = try StoreMigration(
      from: old.schema, to: schema, content: SQLContent(old.layout, runner: runner))
    func refusal(_ reason: String, _ issues: [GrootIssue]) -> GrootError {
      let first = GrootIssue(
        .storeModel,
        "the store '\(store)' was made for another model and \(reason); it is not changed")
      return GrootError(.storeModel, [first] + issues)
    }
    guard migration.obstacles.isEmpty else {
      throw refusal("cannot be migrated", migration.obstacles)
    }
    guard migration.losses.isEmpty || rule == .destructive else {
      throw refusal("would lose data, unless \"migrate\" is \"destructive\"", migration.losses)
    }
  }

  /// Refuses objects without an entity of the model, which would be lost silently.
  private static func requireKnownEntities(
    _ old: SQLStructure.Described, runner: any SQLRunner, structure: SQLStructure
  ) throws {
    for (table, name) in zip(old.schema.tables, old.layout.tables.map(\.name)) {
      let entities = table.entities.map(quotedText).joined(separator: ", ")
      let count = try runner.integer(
        "SELECT count(*) FROM \(quoted(name)) WHERE _entity IS NULL OR _entity NOT IN (\(entities))"
      )
      guard count == 0 else {
        throw structure.damaged("objects of '\(table.name)' have an unknown entity: \(count)")
      }
    }
  }

  // MARK: The old tables

  private func aside(_ table: TableIndex) -> String { "_old_table_\(table.offset)" }

  private func aside(join: Int) -> String { "_old_join_\(join)" }

  /// The statements that give unused names to the old tables and to their primary keys.
  package var settingAside: [String] {
    var statements = SQLDefinition(schema: old, layout: names).constraintDrops
    func rename(_ name: String, key: String?, to aside: String) {
      statements.append("ALTER TABLE \(quoted(name)) RENAME TO \(quoted(aside))")
      guard let key else { return }
      // No name of a layout begins with two of them.
      let unused = quoted("_\(aside)_key")
      statements.append(
        "ALTER TABLE \(quoted(aside)) RENAME CONSTRAINT \(quoted(key)) TO \(unused)")
    }
    for (number, table) in names.tables.numbered(by: TableIndex.self) {
      rename(table.name, key: table.key, to: aside(number))
    }
    for (number, name) in names.joins.enumerated() {
      rename(name, key: names.joinKeys[number]?.key, to: aside(join: number))
    }
    return statements
  }

  /// The statements that drop the old tables.
  package var drops: [String] {
    (old.joins.indices.map { aside(join: $0) } + old.tableIndices.map { aside($0) })
      .map { "DROP TABLE \(quoted($0))" }
  }

  // MARK: Objects

  /// Returns the old table of the objects in a new one; nil when that begins empty.
  package func source(of table: TableIndex) -> TableIndex? { migration.tables[table]?.table }

  /// The statements that copy objects, for each new table that does not begin empty.
  package var copies: [Copy] {
    migration.tables.numbered(by: TableIndex.self).compactMap { table, source in
      source.map {
        Copy(
          statement: copy($0, to: table), aside: aside($0.table), name: layout.tables[table].name)
      }
    }
  }

  private func copy(_ source: StoreMigration.TableSource, to table: TableIndex) -> Statement {
    var parameters: [SQLQuery.Parameter] = []
    func mark(_ value: Value, _ type: AttributeType) -> String {
      parameters.append(.value(value, type))
      return dialect.marks(.value(value, type), first: parameters.count).joined()
    }
    let entity =
      "CASE _entity "
      + source.entities.map { old, new in
        "WHEN \(mark(.string(old), .string)) THEN \(mark(.string(new), .string))"
      }.joined(separator: " ") + " END"
    let columns = schema.tables[table].columns
    let values = zip(columns, source.columns).map { column, from -> String in
      switch from {
      case .column(let position): return value(position, of: source.table, as: column)
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
    let names = (["_id", "_entity", "_version"] + layout.tables[table].columns.map(quoted))
      .joined(separator: ", ")
    let text =
      "INSERT INTO \(layout.table(table)) (\(names)) SELECT _id, \(entity), _version"
      + values.map { ", " + $0 }.joined() + " FROM \(quoted(aside(source.table))) "
      + "WHERE _entity IN (\(kept)) ORDER BY _id"
    return Statement(text: text, parameters: parameters)
  }

  /// Returns SQL for the value of an old column in a new one.
  private func value(
    _ position: Int, of table: TableIndex, as column: StoreSchema.TableColumn
  ) -> String {
    let name = names.column(position, of: table)
    guard case .attribute(let before) = old.tables[table].columns[position].kind,
      case .attribute(let type) = column.kind
    else { return name }
    return names.dialect.converted(name, from: before, to: type)
  }

  // MARK: Links

  /// The statements that copy links, for each new join that does not begin empty.
  package var linkCopies: [String] {
    migration.joins.enumerated().flatMap { join, source -> [String] in
      guard let source else { return [] }
      let isToBeTwinned = schema.joins[join].isSymmetric && !old.joins[source.join].isSymmetric
      return copies(source, to: join, withTwins: isToBeTwinned)
    }
  }

  private func copies(
    _ source: StoreMigration.JoinSource, to join: Int, withTwins: Bool
  ) -> [String] {
    let columns = [
      "source, target, source_order, target_order", "target, source, target_order, source_order",
    ]
    let own = source.isSwapped ? 1 : 0
    return (withTwins ? [own, 1 - own] : [own]).map { order in
      dialect.insertNew(
        into: "\(quoted(layout.joins[join])) (source, target, source_order, target_order)",
        "SELECT \(columns[order]) FROM \(quoted(aside(join: source.join)))")
    }
  }

  /// The statements that clear references to objects whose entity was removed.
  package var clearings: [String] {
    var statements: [String] = []
    for (table, description) in schema.tables.numbered(by: TableIndex.self) {
      for (position, column) in description.columns.enumerated() {
        guard case .reference(let target) = column.kind else { continue }
        let name = layout.column(position, of: table)
        statements.append(
          "UPDATE \(layout.table(table)) SET \(name) = NULL WHERE \(name) NOT IN "
            + "(SELECT _id FROM \(layout.table(target)))")
      }
    }
    for (number, join) in schema.joins.enumerated() {
      for (end, table) in [("source", join.source), ("target", join.target)] {
        statements.append(
          "DELETE FROM \(quoted(layout.joins[number])) WHERE \(end) NOT IN "
            + "(SELECT _id FROM \(layout.table(table)))")
      }
    }
    return statements
  }
}
