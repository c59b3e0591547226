// The validation of changed objects against the model, before a save.

extension Graph {
  /// Returns at most `limit` issues of the objects inserted or changed since the last save.
  ///
  /// They are sorted by hierarchy and in the order of insertion. Apart from the sorting, the time
  /// is linear in those objects and their properties.
  func invalidities(limit: Int = 100) -> [(object: ObjectID, issue: GrootIssue)] {
    guard !savepoints.isEmpty else { return [] }
    var issues: [(object: ObjectID, issue: GrootIssue)] = []
    let checks = model.hierarchies.map { hierarchy in
      hierarchy.properties.map { !$0.isOptional || $0.hasLimits || $0.hasCounts }
    }
    var changed: [[Row]] = Array(repeating: [], count: tableIndices.count)
    forEachInserted { changed[$0].append($1) }
    for index in 0..<log.pointee.count {
      let entry = log.pointee.entries[index]
      if entry.operation == .changed && entry.flag { changed[entry.table].append(entry.row) }
    }
    for table in tableIndices {
      let rows = changed[table].filter { tables[table].isLive($0) }
      for row in rows.sorted(by: { tables[table].isOlder($0, $1) }) where issues.count < limit {
        check(row, in: table, checks: checks[table], issues: &issues)
      }
    }
    return Array(issues.prefix(limit))
  }

  private func check(
    _ row: Row, in table: TableIndex, checks: [Bool],
    issues: inout [(object: ObjectID, issue: GrootIssue)]
  ) {
    let record = tables[table].record(row)
    let entity = model.resolved[entity(record, in: table)]
    for number in entity.attributes + entity.relationships where checks[number] {
      let property = model.hierarchies[table].properties[number]
      // Only lists of a fault can have changed.
      if isFault(row, in: table) && !property.field.isToMany { continue }
      guard let (status, message) = validationFailure(property, table: table, row: row) else {
        continue
      }
      issues.append(
        (
          tables[table].id(row),
          GrootIssue(status, message, entity: entity.name, property: property.name)
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
      if count == 0 {
        return relationship.isOptional ? nil : (.missingValue, "a member is required")
      }
      if count < relationship.minimumCount {
        return (
          .tooFew, "\(count) members; at least \(relationship.minimumCount) are required"
        )
      }
      if relationship.isToMany && relationship.maximumCount > 0
        && count > relationship.maximumCount
      {
        return (.tooMany, "\(count) members; at most \(relationship.maximumCount) are allowed")
      }
      return nil
    }
    let value = StoredValue(tables[table].record(row), field: field, table: tables + table)
    guard value.isPresent else {
      return property.isOptional ? nil : (.missingValue, "a value is required")
    }
    return property.validationFailure(of: value)
  }
}

extension Property {
  /// Whether the number of members is limited.
  var hasCounts: Bool {
    guard let relationship else { return false }
    return relationship.minimumCount > 0 || relationship.maximumCount > 0
  }
}
