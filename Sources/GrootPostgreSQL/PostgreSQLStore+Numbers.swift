import Groot
import GrootSQL

// Keys of objects and positions in lists, which a store takes in blocks.
//
// A block is taken in a transaction of its own, so nobody waits for a long save, and is as large as a
// save needs: keys are in the order in which saves begin. Numbers that a save does not use are lost.

extension PostgreSQLStore {
  /// The upper bound of counters.
  private static let greatestNumber = Int64.max / 2

  /// The keys of all counters in `_groot`.
  var counters: [String] {
    var keys = schema.tableIndices.map(keyCounter)
    for (table, description) in schema.tables.numbered(by: TableIndex.self) {
      for (position, column) in description.columns.enumerated() {
        if case .position = column.kind {
          keys.append(counter(.members(table: table, column: position)))
        }
      }
    }
    return keys + schema.joins.indices.map { counter(.links(join: $0)) }
  }

  func keyCounter(_ table: TableIndex) -> String { Self.keyCounter(table, layout: layout) }

  static func keyCounter(_ table: TableIndex, layout: SQLLayout) -> String {
    "keys of " + layout.tables[table].name
  }

  func counter(_ lists: StoreLists) -> String {
    switch lists {
    case .members(let table, let column):
      "place of " + layout.tables[table].name + "." + layout.tables[table].columns[column]
    case .links(let join): "place of " + layout.joins[join]
    }
  }

  func nextKey(_ table: TableIndex) throws -> Int64 { try next(keyCounter(table)) }

  func nextPosition(_ lists: StoreLists) throws -> Int64 { try next(counter(lists)) }

  private func next(_ counter: String) throws -> Int64 {
    var parameters = PostgreSQLParameters()
    parameters.add(counter)
    let result = try run("SELECT number FROM _groot WHERE key = $1", parameters)
    return result.count == 1 ? result.integer(0, 0) ?? 1 : 1
  }

  func setNextKey(_ table: TableIndex, to key: Int64) throws { try set(keyCounter(table), to: key) }

  func setNextPosition(_ lists: StoreLists, to position: Int64) throws {
    try set(counter(lists), to: position)
  }

  private func set(_ counter: String, to number: Int64) throws {
    blocks[counter] = nil
    var parameters = PostgreSQLParameters()
    parameters.add(number)
    parameters.add(counter)
    _ = try run("UPDATE _groot SET number = $1 WHERE key = $2 AND number < $1", parameters)
  }

  func takeKeys(_ table: TableIndex, count: Int) throws -> Int64 {
    try number(keyCounter(table), count: Int64(count))
  }

  func takePositions(_ lists: StoreLists, count: Int64) throws -> Int64 {
    try number(counter(lists), count: count)
  }

  /// Returns the first of `count` consecutive numbers of a counter.
  private func number(_ counter: String, count: Int64) throws -> Int64 {
    if Int64(blocks[counter]?.count ?? 0) < count {
      let other = numbers ?? PostgreSQLConnection(address, library: connection.library)
      other.watch = connection.watch
      numbers = other
      let taken = try beginning(on: other, taking([counter: count]))
      try note(taken, counts: [counter: count])
    }
    guard let block = blocks[counter], Int64(block.count) >= count else {
      throw damaged("its counter '\(counter)' is missing")
    }
    blocks[counter] = (block.lowerBound + count)..<block.upperBound
    return block.lowerBound
  }

  /// Returns the numbers that a save will need, by their counters.
  func wanted(_ hint: WriteHint) -> [String: Int64] {
    var wanted: [String: Int64] = [:]
    for (table, count) in zip(schema.tableIndices, hint.keys) where count > 0 {
      wanted[keyCounter(table)] = Int64(count)
    }
    for lists in hint.positions { wanted[counter(lists.lists)] = lists.count }
    return wanted
  }

  /// Returns the statements that take numbers.
  func taking(_ counts: [String: Int64]) -> String {
    let rows = counts.map { "(\(quotedText($0.key)), CAST(\($0.value) AS bigint))" }
      .joined(separator: ", ")
    // Every store locks counters in the same order. Rows with these numbers are flushed after the
    // counters, so this transaction need not wait for the disk.
    return "BEGIN; \(settings(isReading: false)); SET LOCAL synchronous_commit = off; "
      + "WITH wanted (key, count) AS (VALUES \(rows)), locked AS (SELECT key FROM _groot "
      + "WHERE key IN (SELECT key FROM wanted) ORDER BY key FOR UPDATE) "
      + "UPDATE _groot SET number = _groot.number + wanted.count FROM wanted, locked "
      + "WHERE _groot.key = wanted.key AND locked.key = wanted.key "
      + "RETURNING _groot.key, _groot.number; COMMIT"
  }

  /// Notes the numbers that were taken, of which the result has the ends.
  func note(_ result: PostgreSQLResult, counts: [String: Int64]) throws {
    for row in 0..<result.count {
      let key = result.text(row, 0)
      guard let end = Int64(result.text(row, 1)), let count = counts[key],
        (1...Self.greatestNumber).contains(end - count)
      else { throw damaged("its counter '\(key)' is \(result.text(row, 1))") }
      blocks[key] = (end - count)..<end
    }
  }
}
