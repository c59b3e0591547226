import Groot

/// The names that tables and columns have in a file.
///
/// They are those of entities and properties. SQLite takes `name` and `Name` as the same, and sibling
/// entities may each have a property of one name: then the later one gets its entity's name in front,
/// and a number if need be. What begins with `_` is the store's own, or `sqlite_` SQLite's.
struct SQLiteLayout {
  /// A table with its columns, in the order of the schema.
  struct Table {
    var name: String
    var columns: [String]
  }

  var tables: [Table] = []
  var joins: [String] = []

  init(_ schema: StoreSchema) {
    var used: Set<String> = []
    for table in schema.tables {
      let name = Self.unused(table.name, table.name, &used)
      var inTable: Set<String> = []
      let columns = table.columns.map { column -> String in
        if case .position = column.kind {
          return Self.unused(
            "_" + column.property + "_order", "_" + column.entity + "_" + column.property, &inTable)
        }
        return Self.unused(column.property, column.entity + "_" + column.property, &inTable)
      }
      tables.append(Table(name: name, columns: columns))
    }
    for join in schema.joins {
      let name = join.entity + "_" + join.property
      joins.append(Self.unused(name, name, &used))
    }
  }

  private static func unused(
    _ name: String, _ longer: String, _ used: inout Set<String>
  ) -> String {
    var candidate = isReserved(name) && !name.hasSuffix("_order") ? "p" + name : name
    if used.contains(folded(candidate)) { candidate = isReserved(longer) ? "p" + longer : longer }
    let base = candidate
    var number = 2
    while used.contains(folded(candidate)) {
      candidate = "\(base)_\(number)"
      number += 1
    }
    used.insert(folded(candidate))
    return candidate
  }

  private static func isReserved(_ name: String) -> Bool {
    name.utf8.first == UInt8(ascii: "_") || folded(name).hasPrefix("sqlite_")
  }

  /// As SQLite compares names: without regard to the case of ASCII letters.
  private static func folded(_ name: String) -> String {
    String(
      decoding: name.utf8.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
