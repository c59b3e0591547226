// Checks before a save: of changed objects, and of their identities.

// The validation of changed objects against the model, before a save.

extension Graph {
  /// Returns at most `limit` issues of the objects inserted or changed since the last save.
  ///
  /// They are sorted by hierarchy and in the order of insertion. Apart from the sorting, the time
  /// is linear in those objects and their properties.
  func invalidities(limit: Int = 100) -> [(object: ObjectID, issue: GrootIssue)] {
    guard !savepoints.isEmpty else { return [] }
    var issues: [(object: ObjectID, issue: GrootIssue)] = []
    let checks = EntityChecks(model)
    var changed: [[Row]] = Array(repeating: [], count: tableIndices.count)
    forEachInserted { changed[$0].append($1) }
    for index in 0..<log.pointee.count {
      let entry = log.pointee.entries[index]
      if entry.operation == .changed && entry.flag { changed[entry.table].append(entry.row) }
    }
    for table in tableIndices {
      let rows = changed[table].filter { tables[table].isLive($0) }
      for row in rows.sorted(by: { tables[table].isOlder($0, $1) }) where issues.count < limit {
        check(row, in: table, checks: checks, issues: &issues)
      }
    }
    return Array(issues.prefix(limit))
  }

  private func check(
    _ row: Row, in table: TableIndex, checks: EntityChecks,
    issues: inout [(object: ObjectID, issue: GrootIssue)]
  ) {
    let record = tables[table].record(row)
    let entity = entity(record, in: table)
    let isFault = isFault(row, in: table)
    // Most objects only have to have their required values.
    if checks.others[entity].isEmpty,
      isFault || checks.hasRequired(entity, of: record, table: tables + table)
    {
      return
    }
    for number in checks.numbers[entity] {
      let property = model.hierarchies[table].properties[number]
      // Only lists of a fault can have changed.
      if isFault && !property.field.isToMany { continue }
      guard let (status, message) = validationFailure(property, table: table, row: row) else {
        continue
      }
      issues.append(
        (
          tables[table].id(row),
          GrootIssue(
            status, message, entity: model.resolved[entity].name, property: property.name)
        ))
    }
  }

  private func validationFailure(
    _ property: Property, table: TableIndex, row: Row
  ) -> (Status, String)? {
    let field = property.field
    if let relationship = property.relationship {
      let count: Int
      if field.isToMany {
        count = Int(memberCount(of: row, field: field))
      } else {
        count = target(links[field.link], side: field.side, row: row).isNone ? 0 : 1
      }
      return relationship.validationFailure(ofCount: count)
    }
    let value = StoredValue(tables[table].record(row), field: field, table: tables + table)
    guard value.isPresent else {
      return property.isOptional ? nil : (.missingValue, "a value is required")
    }
    return property.validationFailure(of: value)
  }
}

/// The properties that a save checks, by entity.
private struct EntityChecks {
  /// The numbers of all of them.
  private(set) var numbers: [[Int]] = []
  /// The numbers of those with more rules than to be present.
  private(set) var others: [[Int]] = []
  /// The required attributes without other rules, those of one entity after those of another.
  private var required: [Field] = []
  private var ends: [Int] = []

  init(_ model: ManagedObjectModel) {
    for entity in model.resolved {
      let properties = model.hierarchies[entity.hierarchy].properties
      let checked = (entity.attributes + entity.relationships).filter {
        !properties[$0].isOptional || properties[$0].hasLimits || properties[$0].hasCounts
      }
      let isPlain = { (number: Int) in
        properties[number].attribute != nil && !properties[number].hasLimits
      }
      numbers.append(checked)
      others.append(checked.filter { !isPlain($0) })
      required += checked.filter(isPlain).map { properties[$0].field }
      ends.append(required.count)
    }
  }

  /// Returns whether a record has a value for each required attribute of its entity.
  @inline(__always)
  func hasRequired(
    _ entity: EntityIndex, of record: UnsafeMutableRawPointer,
    table: UnsafeMutablePointer<ObjectTable>
  ) -> Bool {
    let start = entity.offset == 0 ? 0 : ends[entity.offset - 1]
    for index in start..<ends[entity.offset]
    where !StoredValue(record, field: required[index], table: table).isPresent {
      return false
    }
    return true
  }
}

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
