import Groot
import GrootSQL

// Objects in the rows of results.

extension PostgreSQLStore {
  func name(_ table: TableIndex) -> String { layout.table(table) }

  func columns(_ table: TableIndex) -> [String] { layout.columns(of: table) }

  /// Calls `body` with the objects of a result that selects ``SQLRows/object(_:alias:)``.
  func eachRow(
    _ result: PostgreSQLResult, table: TableIndex, body: (StoreRow) throws -> Void
  ) throws {
    let types = rows.types[table]
    var unreadable: [UnreadableValue] = []
    var last: (name: [UInt8], number: Int)?
    try withUnsafeTemporaryAllocation(of: StoredValue.self, capacity: max(types.count, 1)) {
      values in
      values.initialize(repeating: .none)
      for row in 0..<result.count {
        guard let key = result.integer(row, 0), let version = result.integer(row, 2),
          version.magnitude < UInt64(Int64.max / 2)
        else { throw damaged("an object of '\(schema.tables[table].name)' has no version") }
        let entity = result.bytes(row, 1)
        if last?.name.elementsEqual(entity) != true {
          let name = Array(entity)
          last = (name, try rows.entity(name, of: table, key: key))
        }
        for (position, type) in types.enumerated() {
          if let value = result.value(row, position + 3, as: type) {
            values[position] = value
          } else {
            values[position] = .none
            unreadable.append(
              UnreadableValue(column: position, literal: shownText(result.bytes(row, position + 3)))
            )
          }
        }
        try unreadable.withUnsafeBufferPointer {
          try body(
            StoreRow(
              key: key, entity: last?.number ?? 0, version: version,
              values: UnsafeBufferPointer(rebasing: values[..<types.count]), unreadable: $0))
        }
        if !unreadable.isEmpty { unreadable = [] }
      }
    }
  }

  // MARK: Large results

  /// The number of bytes that are read from the server at once, more or less.
  private static let bytesPerPage = 4 << 20

  /// Calls `body` with the pages of a result, of which the memory holds one at a time.
  ///
  /// `body` may run other statements.
  func eachPage(
    _ sql: String, _ parameters: borrowing PostgreSQLParameters, columns: Int,
    body: (PostgreSQLResult) throws -> Void
  ) throws {
    cursorCount += 1
    let cursor = "_groot_\(cursorCount)"
    _ = try run("DECLARE \(cursor) NO SCROLL CURSOR FOR \(sql)", parameters)
    let snapshot = snapshotCount
    var count = 256
    while true {
      // `body` may have had to take another snapshot, which has no cursor.
      guard snapshot == snapshotCount else { throw lostResult }
      let page = try run("FETCH \(count) FROM \(cursor)", isRepeatable: false)
      try body(page)
      guard page.count == count else { break }
      let size = (0..<8).reduce(0) { $0 + page.size($1 * (count / 8), columns: columns) }
      count = max(16, min(65_536, Self.bytesPerPage / max(size / 8, 16), count * 8))
    }
    guard snapshot == snapshotCount else { return }
    _ = try run("CLOSE \(cursor)", isRepeatable: false)
  }

  private var lostResult: GrootError {
    GrootError(
      .storeDisconnected,
      "the store '\(address.shown)': the connection was lost while a result was read; the next call "
        + "connects again")
  }
}
