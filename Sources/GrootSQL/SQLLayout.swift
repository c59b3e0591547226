import Groot

/// The names of tables, columns and indexes in a database.
///
/// Tables and columns have the names of entities and properties. Two names may be equal for the
/// database, as `name` and `Name` are for SQLite, and sibling entities may have properties of the
/// same name. The later one then gets its entity's name as a prefix, and a number if necessary.
/// Names that begin with `_` are reserved for the store, and others for the database. Tables and
/// indexes share their numbers, since a database has one set of names for both.
package struct SQLLayout {
  /// A table with its columns, in the order of the schema.
  package struct Table {
    /// The name of the table.
    package var name: String
    /// The names of the columns.
    package var columns: [String]
    /// By column, the name of a reference's index and constraint; nil for other columns.
    package var references: [String?] = []
    /// The names of the indexes of identities.
    package var identities: [String] = []
    /// The name of the primary key; nil when it has none.
    package var key: String?
  }

  /// The SQL of the database.
  package let dialect: any SQLDialect
  /// The tables, in the order of the schema.
  package private(set) var tables: [Table] = []
  /// The names of the tables of joins.
  package private(set) var joins: [String] = []
  /// By join, the name of the index that finds the sources of a target, and of that constraint.
  package private(set) var targets: [String] = []
  /// By join, the names of the primary key and of the source's constraint; nil without names.
  package private(set) var joinKeys: [(key: String, source: String)?] = []

  /// Makes the names for a schema.
  package init(_ schema: StoreSchema, dialect: any SQLDialect) {
    self.dialect = dialect
    var used = UsedNames(dialect)
    for table in schema.tables {
      let name = used.unreserved(table.name, or: table.name)
      var inTable = UsedNames(dialect)
      let columns = table.columns.map { column -> String in
        if case .position = column.kind {
          return inTable.free(
            "_" + column.property + "_order", or: "_" + column.entity + "_" + column.property)
        }
        return inTable.unreserved(column.property, or: column.entity + "_" + column.property)
      }
      tables.append(Table(name: name, columns: columns))
    }
    for join in schema.joins {
      let name = join.entity + "_" + join.property
      joins.append(used.unreserved(name, or: name))
    }
    // Indexes of identities come last, because a model document alone does not define them.
    for (number, table) in schema.tables.numbered(by: TableIndex.self) {
      tables[number].references = table.columns.enumerated().map { position, column in
        guard case .reference = column.kind else { return nil }
        return used.free("_\(tables[number].name)_\(tables[number].columns[position])")
      }
    }
    for join in joins { targets.append(used.free("_\(join)_target")) }
    nameKeys(&used)
    for (number, table) in schema.tables.numbered(by: TableIndex.self) {
      tables[number].identities = table.identities.indices.map { position in
        used.free("_\(tables[number].name)_identity_\(position + 1)")
      }
    }
  }

  private mutating func nameKeys(_ used: inout UsedNames) {
    guard dialect.namesConstraints else {
      joinKeys = joins.map { _ in nil }
      return
    }
    for number in tables.indices { tables[number].key = used.free("_\(tables[number].name)_key") }
    joinKeys = joins.map { (used.free("_\($0)_key"), used.free("_\($0)_source")) }
  }

  /// Returns names of views that no table and no index has.
  package func names(of views: [StoreView]) -> [String] {
    var used = UsedNames(dialect)
    for table in tables {
      let indexes = table.references.compactMap(\.self) + table.identities
      for name in [table.name] + indexes + [table.key].compactMap(\.self) { _ = used.free(name) }
    }
    for name in joins + targets + joinKeys.compactMap({ $0?.key }) { _ = used.free(name) }
    return views.map { used.unreserved($0.entity + "_view", or: $0.entity + "_view") }
  }

  /// Returns the name of a table as SQL writes it.
  package func table(_ number: TableIndex) -> String { quoted(tables[number].name) }

  /// Returns the names of a table's columns as SQL writes them.
  package func columns(of table: TableIndex) -> [String] { tables[table].columns.map(quoted) }

  /// Returns the name of a column as SQL writes it.
  package func column(_ number: Int, of table: TableIndex) -> String {
    quoted(tables[table].columns[number])
  }
}

/// The used names, compared as the database does.
private struct UsedNames {
  private let dialect: any SQLDialect
  private var names: Set<[UInt8]> = []

  init(_ dialect: any SQLDialect) { self.dialect = dialect }

  /// Returns a free name that is not reserved: this one, the longer one, or that with a number.
  mutating func unreserved(_ name: String, or longer: String) -> String {
    free(own(name), or: own(longer))
  }

  /// Returns a free name: this one, the longer one, or that with a number.
  mutating func free(_ name: String, or longer: String? = nil) -> String {
    let name = fitting(withoutNUL(name))
    if insert(name) { return name }
    let base = longer.map(withoutNUL) ?? name
    var candidate = fitting(base)
    var number = 2
    while !insert(candidate) {
      candidate = fitting(base, suffix: "_\(number)")
      number += 1
    }
    return candidate
  }

  private mutating func insert(_ name: String) -> Bool {
    names.insert(dialect.compared(name)).inserted
  }

  /// Returns a name with a suffix, cut before it at the end of a character if it is too long.
  private func fitting(_ name: String, suffix: String = "") -> String {
    guard let longest = dialect.longestName, name.utf8.count + suffix.utf8.count > longest else {
      return name + suffix
    }
    var size = 0
    var kept = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      size += UTF8.width(scalar)
      guard size + suffix.utf8.count <= longest else { break }
      kept.append(scalar)
    }
    return String(kept) + suffix
  }

  private func own(_ name: String) -> String {
    let isReserved = name.utf8.first == UInt8(ascii: "_") || dialect.isReserved(name)
    return isReserved ? "p" + name : name
  }
}

extension LinkSide {
  /// The columns of a join with this side and with the other one.
  package var columns: (near: String, far: String) {
    self == .first ? ("source", "target") : ("target", "source")
  }
}
