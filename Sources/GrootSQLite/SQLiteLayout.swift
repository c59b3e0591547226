import Groot

/// The names that tables, columns and indexes have in a file.
///
/// They are those of entities and properties. SQLite takes `name` and `Name` as the same, and
/// sibling entities may each have a property of one name: then the later one gets its entity's name
/// in front, and a number if need be. A name that begins with `_` is the store's own, or with
/// `sqlite_` SQLite's. Tables and indexes are numbered among one another, since SQLite keeps their
/// names together.
struct SQLiteLayout {
  /// A table with its columns, in the order of the schema.
  struct Table {
    var name: String
    var columns: [String]
    /// By column, the index of a reference; nil for all others.
    var references: [String?] = []
    /// The indexes of identities.
    var identities: [String] = []
  }

  var tables: [Table] = []
  var joins: [String] = []
  /// By join, the index by which the sources of a target are found.
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
    // After all tables, and those of identities last: a document alone does not have these.
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

  /// The name of a property as a column of a view: SQL ends at a NUL.
  static func column(_ name: String) -> String { UsedNames.withoutNUL(name) }
}

/// Names that are taken, as SQLite compares them: without regard to the case of ASCII letters.
private struct UsedNames {
  private var names: Set<[UInt8]> = []

  /// A name like this that a program may choose, or the longer one where that is taken.
  mutating func unreserved(_ name: String, or longer: String) -> String {
    free(Self.own(name), or: Self.own(longer))
  }

  /// This name, the longer one, or that with a number.
  mutating func free(_ name: String, or longer: String? = nil) -> String {
    let name = Self.withoutNUL(name)
    if names.insert(Self.folded(name)).inserted { return name }
    let base = longer.map(Self.withoutNUL) ?? name
    var candidate = base
    var number = 2
    while !names.insert(Self.folded(candidate)).inserted {
      candidate = "\(base)_\(number)"
      number += 1
    }
    return candidate
  }

  /// A table of this name would hide the function that queries call.
  private static let function = Array("json_each".utf8)

  private static func own(_ name: String) -> String {
    let folded = folded(name)
    let isReserved =
      folded.first == UInt8(ascii: "_") || folded.starts(with: "sqlite_".utf8)
      || folded == function
    return isReserved ? "p" + name : name
  }

  static func withoutNUL(_ name: String) -> String {
    guard name.utf8.contains(0) else { return name }
    return String(decoding: name.utf8.map { $0 == 0 ? UInt8(ascii: "_") : $0 }, as: UTF8.self)
  }

  private static func folded(_ name: String) -> [UInt8] {
    name.utf8.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
  }
}
