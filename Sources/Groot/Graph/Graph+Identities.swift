// Objects with the same identity, which a save rejects.

extension Graph {
  /// Returns the oldest object of each complete identity that several objects of an entity share.
  ///
  /// The objects are sorted by hierarchy and in the order of insertion. The indexes know them, so
  /// the time without any is constant for each identity of the model. An identity without an index
  /// gets one if a change since the last save affects it.
  ///
  /// - Parameter identities: The numbers of the properties that identify the objects of each
  ///   entity.
  func sharedIdentities(_ identities: [[Int]]) throws -> [(object: ObjectID, count: Int)] {
    var shared: [(object: ObjectID, count: Int)] = []
    var changes: IdentityChanges?
    for table in tableIndices {
      var seen: Set<[Int]> = []
      var found: [(row: Row, count: Int)] = []
      for entity in model.hierarchies[table].entities {
        let numbers = identities[entity]
        guard !numbers.isEmpty, seen.insert(numbers).inserted else { continue }
        if !indexes[table].contains(where: { $0.pointee.isOver(numbers) }) {
          let known = changes ?? IdentityChanges(self)
          changes = known
          guard known.concern(numbers, in: table), indexes[table].count < 32 else { continue }
        }
        let index = indexes[table][try identityIndex(table: table, numbers)]
        for (row, others) in index.pointee.followers.pointee
        where identities[self.entity(tables[table].record(row), in: table)] == numbers
          && index.pointee.isWhole(row)
        {
          found.append((row, others.members.count + 1))
        }
      }
      found.sort { tables[table].isOlder($0.row, $1.row) }
      shared += found.map { (tables[table].id($0.row), $0.count) }
    }
    return shared
  }
}

extension IdentityIndex {
  /// Returns whether a row has a value for each part of its identity.
  fileprivate func isWhole(_ row: Row) -> Bool {
    let record = table.pointee.record(row)
    return (0..<fieldCount).allSatisfy {
      StoredValue(record, field: fields[$0], table: table).isPresent
    }
  }
}

/// The changes since the last save that may affect identities.
private struct IdentityChanges {
  /// Whether a table has new objects, and the numbers of the changed properties, by table.
  private var tables: [(hasInserted: Bool, numbers: Set<UInt16>)]

  init(_ graph: Graph) {
    tables = graph.tableIndices.map { table in
      let first = graph.savepoints.first?.rowCounts[table] ?? graph.tables[table].count
      return (first < graph.tables[table].count, [])
    }
    for index in 0..<graph.log.pointee.count {
      let entry = graph.log.pointee.entries[index]
      switch entry.operation {
      case .inserted: tables[entry.table.offset].hasInserted = true
      case .changed: tables[entry.table.offset].numbers.insert(entry.field)
      default: break
      }
    }
  }

  func concern(_ numbers: [Int], in table: TableIndex) -> Bool {
    tables[table.offset].hasInserted
      || numbers.contains { tables[table.offset].numbers.contains(UInt16(truncatingIfNeeded: $0)) }
  }
}
