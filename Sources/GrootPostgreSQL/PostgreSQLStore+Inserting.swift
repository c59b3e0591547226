import Groot
import GrootSQL

// Inserting objects and links by COPY.

extension PostgreSQLStore {
  func insertRows(_ table: TableIndex, count: Int, row: @escaping (Int) -> StoreRow) throws {
    guard count > 0 else { return }
    let types = columnTypes[table]
    let entities = schema.tables[table].entities
    let names = ["_id", "_entity", "_version"] + columns(table)
    let order = try isFilling || count == 1 ? nil : order(table, count: count, row: row)
    var next = 0
    do {
      try connection.copy(
        "COPY \(name(table)) (\(names.joined(separator: ", "))) FROM STDIN (FORMAT binary)"
      ) { buffer in
        guard next < count else { return false }
        let row = row(order?[next] ?? next)
        next += 1
        buffer.append(Int16(truncatingIfNeeded: types.count + 3))
        buffer.append(Int32(8))
        buffer.append(row.key)
        buffer.append(text: entities[row.entity])
        buffer.append(Int32(8))
        buffer.append(row.version)
        for (column, type) in types.enumerated() {
          do {
            try buffer.append(row.values[column], as: type)
          } catch let failure as UnstorableValue {
            throw unstorable(failure, table: table, column: column, entity: row.entity)
          }
        }
        return true
      }
    } catch let failure as PostgreSQLFailure where failure.status == .storeDuplicate {
      let line = (failure.line ?? 0) - 1
      let key = (0..<count).contains(line) ? row(order?[line] ?? line).key : 0
      throw UniqueViolation(table: table, key: key, failure: grootError(failure))
    } catch {
      throw self.error(error)
    }
    noteInserted(table, row(0).key...row(count - 1).key)
    insertedCounts[table] += count
    do { try analyze(isLast: false) } catch { throw self.error(error) }
  }

  private func noteInserted(_ table: TableIndex, _ keys: ClosedRange<Int64>) {
    let last = insertedKeys[table].count - 1
    if last >= 0, insertedKeys[table][last].upperBound &+ 1 == keys.lowerBound {
      insertedKeys[table][last] = insertedKeys[table][last].lowerBound...keys.upperBound
    } else {
      insertedKeys[table].append(keys)
    }
  }

  /// Returns the numbers of rows in an order that all writers have, so that two which insert the
  /// same identities wait for each other once; nil for a table without identities.
  private func order(
    _ table: TableIndex, count: Int, row: (Int) -> StoreRow
  ) throws -> [Int]? {
    let identities = schema.tables[table].identities
    guard !identities.isEmpty else { return nil }
    var buffer = PostgreSQLBuffer()
    var hashes: [(hash: UInt64, number: Int)] = []
    hashes.reserveCapacity(count)
    for number in 0..<count {
      let row = row(number)
      buffer.removeAll()
      if let identity = identities.first(where: { $0.entities.contains(row.entity) }) {
        // A value that cannot be held is found when it is sent.
        for column in identity.columns {
          try? buffer.append(row.values[column], as: columnTypes[table][column])
        }
      }
      // FNV-1a: any order will do that does not differ between processes.
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      for byte in buffer.bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      hashes.append((hash, number))
    }
    hashes.sort { ($0.hash, $0.number) < ($1.hash, $1.number) }
    return hashes.map(\.number)
  }

  /// Returns the error of a value that PostgreSQL cannot hold.
  func unstorable(
    _ failure: UnstorableValue, table: TableIndex, column: Int, entity: Int
  ) -> GrootError {
    let property = schema.tables[table].columns[column].property
    return GrootError(
      GrootIssue(
        .outOfRange, "'\(property)' cannot be saved to '\(address.shown)': \(failure.reason)",
        entity: schema.tables[table].entities[entity], property: property))
  }

  // MARK: Links

  func insertLinks(_ join: Int, count: Int, link: @escaping (Int) -> StoreLink) throws {
    guard count > 0 else { return }
    insertedLinks[join] += count
    // Links of new objects are new, and others have none of them.
    var known: [StoreLink] = []
    let areNew = isFilling || (0..<count).allSatisfy { isNew(link($0), join: join) }
    guard areNew else {
      known.reserveCapacity(min(count, Self.rowsPerStatement))
      for number in 0..<count {
        known.append(link(number))
        guard known.count == Self.rowsPerStatement else { continue }
        try mergeLinks(join, known)
        known.removeAll(keepingCapacity: true)
      }
      return try mergeLinks(join, known)
    }
    var next = 0
    do {
      try connection.copy(
        "COPY \(quoted(layout.joins[join])) (source, target, source_order, target_order) "
          + "FROM STDIN (FORMAT binary)"
      ) { buffer in
        guard next < count else { return false }
        let link = link(next)
        next += 1
        buffer.append(Int16(4))
        for number in [link.source, link.target, link.sourcePosition, link.targetPosition] {
          buffer.append(Int32(8))
          buffer.append(number)
        }
        return true
      }
    } catch {
      throw self.error(error)
    }
  }

  private func isNew(_ link: StoreLink, join: Int) -> Bool {
    let description = schema.joins[join]
    return insertedKeys[description.source].contains { $0.contains(link.source) }
      || insertedKeys[description.target].contains { $0.contains(link.target) }
  }

  private func mergeLinks(_ join: Int, _ links: [StoreLink]) throws {
    guard !links.isEmpty else { return }
    var parameters = PostgreSQLParameters()
    parameters.add(links.lazy.map(\.source))
    parameters.add(links.lazy.map(\.target))
    parameters.add(links.lazy.map(\.sourcePosition))
    parameters.add(links.lazy.map(\.targetPosition))
    _ = try run(
      "INSERT INTO \(quoted(layout.joins[join])) (source, target, source_order, target_order) "
        + "SELECT * FROM unnest($1, $2, $3, $4) AS w (a, b, c, d) ORDER BY a, b "
        + "ON CONFLICT DO NOTHING", parameters)
  }
}
