/// A property as a store reaches it: joins along to-one relationships, and a column.
package struct JoinedProperty {
  /// A step along a to-one relationship.
  package struct Step: Hashable {
    /// The table with the column of the reference.
    package let table: TableIndex
    package let column: Int
    /// The table that the step leads to.
    package let destination: TableIndex
    /// Whether the step leads to the object with the reference.
    package let isInverse: Bool
  }

  /// The end of a path.
  package enum End {
    case attribute(column: Int)
    case toOne(Step)
    /// The objects of a table whose reference column leads here.
    case members(table: TableIndex, column: Int)
    /// The links of a join with this object on one side; the members are in a table.
    case links(join: Int, side: LinkSide, table: TableIndex)
  }

  package let steps: [Step]
  /// The table of the object with the last property.
  package let table: TableIndex
  package let end: End
}

extension StoreSchema {
  /// Returns the place of a path in a store; nil when the store does not keep the property.
  package func path(_ path: PropertyPath) -> JoinedProperty? {
    var steps: [JoinedProperty.Step] = []
    for property in path.steps {
      guard let step = step(property) else { return nil }
      steps.append(step)
    }
    let table = model.resolved[path.property.entity].hierarchy
    guard let end = end(path.property, table: table) else { return nil }
    return JoinedProperty(steps: steps, table: table, end: end)
  }

  /// Where a store has the values of a property; nil when it does not keep them.
  func end(_ property: Property, table: TableIndex) -> JoinedProperty.End? {
    if property.attribute != nil {
      let column = tables[table].columns.firstIndex { column in
        if case .attribute = column.kind { column.number == property.number } else { false }
      }
      return column.map { .attribute(column: $0) }
    }
    guard property.field.isToMany else { return step(property).map { .toOne($0) } }
    let number = property.field.link
    let link = model.links[number]
    if link.kind == .oneToMany {
      let members = link.sides.0.hierarchy
      return reference(number, table: members).map { .members(table: members, column: $0) }
    }
    // The store has both directions of a symmetric relationship.
    let side: LinkSide = link.isSymmetric ? .first : property.field.side
    return joins.firstIndex { $0.link == number }.map { join in
      .links(
        join: join, side: side, table: side == .first ? joins[join].target : joins[join].source)
    }
  }

  private func step(_ property: Property) -> JoinedProperty.Step? {
    let number = property.field.link
    let sides = model.links[number].sides
    guard let column = reference(number, table: sides.0.hierarchy) else { return nil }
    let isInverse = property.field.side != .first
    let destination = isInverse ? sides.0.hierarchy : sides.1.hierarchy
    return JoinedProperty.Step(
      table: sides.0.hierarchy, column: column, destination: destination, isInverse: isInverse)
  }

  /// Returns the column with the to-one direction of a link.
  private func reference(_ link: LinkIndex, table: TableIndex) -> Int? {
    tables[table].columns.firstIndex { column in
      if case .reference = column.kind { column.link == link } else { false }
    }
  }
}
