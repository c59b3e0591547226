import Groot

/// The names of tables, columns and indexes in a file.
///
/// Tables and columns have the names of entities and properties. For SQLite `name` and `Name` are
/// equal, and sibling entities may have properties of the same name. The later one then gets its
/// entity's name as a prefix, and a number if necessary. Names that begin with `_` are reserved for
/// the store, and names that begin with `sqlite_` for SQLite. Tables and indexes share their
/// numbers, since SQLite has one set of names for both.
struct SQLiteLayout {
  /// A table with its columns, in the order of the schema.
  struct Table {
    var name: String
    var columns: [String]
    /// By column, the name of a reference's index; nil for other columns.
    var references: [String?] = []
    /// The names of the indexes of identities.
    var identities: [String] = []
  }

  var tables: [Table] = []
  var joins: [String] = []
  /// By join, the name of the index that finds the sources of a target.
  var targets: [String] = []

  init(_ schema: StoreSchema) {
    var used = UsedNames()
    for table in schema.tables {
      let name = used.unreserved(table.name, or: table.name)
      var inTable = UsedNames()
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
    for (number, table) in schema.tables.numbered(by: TableIndex.self) {
      tables[number].identities = table.identities.indices.map { position in
        used.free("_\(tables[number].name)_identity_\(position + 1)")
      }
    }
  }

  /// Names of views that no table and no index has.
  func names(of views: [StoreView]) -> [String] {
    var used = UsedNames()
    for table in tables {
      for name in [table.name] + table.references.compactMap(\.self) + table.identities {
        _ = used.free(name)
      }
    }
    for name in joins + targets { _ = used.free(name) }
    return views.map { used.unreserved($0.entity + "_view", or: $0.entity + "_view") }
  }

  /// Returns the name of a table as SQL writes it.
  func table(_ number: TableIndex) -> String { quoted(tables[number].name) }

  /// Returns the name of a column as SQL writes it.
  func column(_ number: Int, of table: TableIndex) -> String {
    quoted(tables[table].columns[number])
  }
}

/// The used names, compared as SQLite does: without regard to the case of ASCII letters.
private struct UsedNames {
  private var names: Set<[UInt8]> = []

  /// Returns a free name that is not reserved: this one, the longer one, or that with a number.
  mutating func unreserved(_ name: String, or longer: String) -> String {
    free(Self.own(name), or: Self.own(longer))
  }

  /// Returns a free name: this one, the longer one, or that with a number.
  mutating func free(_ name: String, or longer: String? = nil) -> String {
    let name = withoutNUL(name)
    if names.insert(folded(name)).inserted { return name }
    let base = longer.map(withoutNUL) ?? name
    var candidate = base
    var number = 2
    while !names.insert(folded(candidate)).inserted {
      candidate = "\(base)_\(number)"
      number += 1
    }
    return candidate
  }

  /// The name of a function that queries call, which a table of this name would hide.
  private static let function = Array("json_each".utf8)

  private static func own(_ name: String) -> String {
    let lowered = folded(name)
    let isReserved =
      lowered.first == UInt8(ascii: "_") || lowered.starts(with: "sqlite_".utf8)
      || lowered == function
    return isReserved ? "p" + name : name
  }
}

extension LinkSide {
  /// The columns of a join with this side and with the other one.
  var columns: (near: String, far: String) {
    self == .first ? ("source", "target") : ("target", "source")
  }
}
