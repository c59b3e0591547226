/// A value in a row of a store that is not of its property's type, since another program wrote it.
package struct UnreadableValue {
  /// The position of the column in its table.
  package let column: Int
  /// The value as a literal of SQL, or the beginning of it.
  package let literal: String

  package init(column: Int, literal: String) {
    self.column = column
    self.literal = literal
  }
}

/// The unreadable values of the objects in memory.
///
/// Such a property has no value in memory. Reading it is an error, until a change replaces the value.
struct UnreadableValues {
  private var values: [ObjectKey: [UnreadableValue]] = [:]

  @inline(__always)
  var isEmpty: Bool { values.isEmpty }

  /// All objects that have any, in the order of their tables and rows.
  var objects: [(object: ObjectKey, values: [UnreadableValue])] {
    values.map { (object: $0.key, values: $0.value) }.sortedFew(by: {
      ($0.object.table, $0.object.row) < ($1.object.table, $1.object.row)
    })
  }

  subscript(object: ObjectKey) -> [UnreadableValue] { values[object] ?? [] }

  /// Sets the values of an object that was read.
  @inline(__always)
  mutating func set(_ object: ObjectKey, to found: UnsafeBufferPointer<UnreadableValue>) {
    if !found.isEmpty || !values.isEmpty { set(object, to: Array(found)) }
  }

  @inline(never)
  mutating func set(_ object: ObjectKey, to found: [UnreadableValue]) {
    if !found.isEmpty || !values.isEmpty { values[object] = found.isEmpty ? nil : found }
  }

  mutating func removeAll() { values.removeAll() }
}

extension StoreCoordinator {
  /// Refuses to read a property whose value in the store is not of its type.
  @inline(__always)
  func requireReadable(_ row: Row, in table: TableIndex, field: Field) throws {
    if !unreadable.isEmpty { try requireReadable([row], in: table, number: field.number) }
  }

  @inline(__always)
  func requireReadable(_ rows: [Row], in table: TableIndex, field: Field) throws {
    if !unreadable.isEmpty { try requireReadable(rows, in: table, number: field.number) }
  }

  /// Refuses to read objects that have such a property.
  @inline(__always)
  func requireReadable(_ rows: some Sequence<Row>, in table: TableIndex) throws {
    if !unreadable.isEmpty { try requireReadable(rows, in: table, number: nil) }
  }

  @inline(never)
  private func requireReadable(
    _ rows: some Sequence<Row>, in table: TableIndex, number: UInt16?
  ) throws {
    for row in rows {
      for value in left(ObjectKey(table: table, row: row))
      where number == nil
        || schema.tables[table].columns[value.column].number == number.map(Int.init)
      {
        throw failure(value, of: row, in: table)
      }
    }
  }

  /// Returns whether a property has a value in the store that cannot be read.
  func isUnreadable(_ row: Row, in table: TableIndex, number: Int) -> Bool {
    !unreadable.isEmpty
      && left(ObjectKey(table: table, row: row)).contains {
        schema.tables[table].columns[$0.column].number == number
      }
  }

  /// Makes the removal of a value that cannot be read a change, as memory has none.
  @inline(__always)
  func replaceUnreadable(_ row: Row, in table: TableIndex, field: Field) {
    guard !unreadable.isEmpty, isUnreadable(row, in: table, number: Int(field.number)) else {
      return
    }
    graph.set(row, in: table, field: field, to: StoredValue(word: 0))
  }

  /// Returns the unreadable values of an object that no change has replaced.
  private func left(_ object: ObjectKey) -> [UnreadableValue] {
    let found = unreadable[object]
    if found.isEmpty { return found }
    let table = graph.tables + object.table
    let record = table.pointee.record(object.row)
    return found.filter {
      let number = schema.tables[object.table].columns[$0.column].number
      return !table.pointee.isChanged(graph.fields[object.table][number].number, in: record)
    }
  }

  /// Forgets the values that a save has replaced, before the graph forgets the changes.
  func forgetReplaced() {
    for (object, _) in unreadable.objects { unreadable.set(object, to: left(object)) }
  }

  private func failure(_ value: UnreadableValue, of row: Row, in table: TableIndex) -> GrootError {
    store.failure(of: value, table: table, key: keys[table][row].key)
  }

  /// Returns the faults of the whole store: unreadable values, and links to missing objects.
  func faults(limit: Int) throws -> [GrootIssue] {
    try preloadAll()
    var found: [GrootIssue] = []
    for (object, values) in unreadable.objects {
      for value in values {
        found += failure(value, of: object.row, in: object.table).issues
        if found.count >= limit { return found }
      }
    }
    for table in graph.tableIndices {
      for row in graph.tables[table].rows
      where graph.tables[table].isLive(row) && graph.isFault(row, in: table) {
        found += dangling(to: row, in: table)
        if found.count >= limit { return Array(found.prefix(limit)) }
      }
    }
    return found
  }

  /// Returns an issue for each relationship that leads to a missing object.
  func dangling(to row: Row, in table: TableIndex) -> [GrootIssue] {
    let entity = graph.tables[table].header(row).pointee.entity
    var found: [GrootIssue] = []
    for link in graph.linkIndices.map({ graph.links[$0] }) {
      for side in LinkSide.both where link.table(side) == table {
        guard link.field(side).belongs(to: entity) else { continue }
        let (other, owners) = (link.table(side.inverse), owners(of: row, field: link.field(side)))
        let property = graph.model.hierarchies[other].properties[
          Int(link.field(side.inverse).number)]
        for owner in owners {
          let name = schema.tables[other].name
          found.append(
            GrootIssue(
              .storeInvalid,
              "'\(property.name)' of the object \(keys[other][owner].key) of '\(name)' leads to the "
                + "object \(keys[table][row].key) of '\(schema.tables[table].name)', which is missing: "
                + "set the relationship, or delete the object",
              entity: name, property: property.name))
        }
      }
    }
    return found
  }

  private func owners(of row: Row, field: Field) -> [Row] {
    var owners: [Row] = []
    if field.isToMany {
      graph.forEachMember(of: row, field: field) { owners.append($0) }
    } else if let owner = graph.target(graph.links[field.link], side: field.side, row: row).index {
      owners.append(owner)
    }
    return owners
  }
}
