/// The schema of a store: a table for each hierarchy, a join for each many-to-many relationship.
package struct StoreSchema: Sendable {
  /// The table for the objects of a hierarchy; a class, since each read of rows asks for it.
  package final class Table: Sendable {
    /// The root entity's name.
    package let name: String
    /// The names of all entities of the hierarchy by local index, the root first.
    package let entities: [String]
    /// Whether the root entity has objects of its own: an abstract one has none.
    package let hasRootObjects: Bool
    package let columns: [TableColumn]
    package let identities: [Identity]

    init(
      name: String, entities: [String], hasRootObjects: Bool, columns: [TableColumn],
      identities: [Identity]
    ) {
      (self.name, self.entities, self.hasRootObjects) = (name, entities, hasRootObjects)
      (self.columns, self.identities) = (columns, identities)
    }

    /// Returns the column with the positions in the lists of a reference; nil without one.
    package func listPosition(of reference: Int) -> Int? {
      let next = reference + 1
      guard next < columns.count, case .position = columns[next].kind else { return nil }
      return next
    }
  }

  /// A property whose value is stored with its object.
  package struct TableColumn: Sendable {
    package enum Kind: Sendable {
      case attribute(AttributeType)
      /// A to-one relationship to an object of a table.
      case reference(table: TableIndex)
      /// The position of the object in the list of the object that the previous column leads to.
      case position
    }

    /// The name of the property; for a position, the name of the relationship.
    package let property: String
    /// The entity that declares the property.
    package let entity: String
    package let kind: Kind
    /// Whether two objects cannot lead to the same object: a one-to-one relationship.
    package let isExclusive: Bool
    /// The property's number in the hierarchy.
    let number: Int
    /// The link of a relationship.
    let link: LinkIndex
  }

  /// The values that are unique among the objects of some entities.
  package struct Identity: Sendable {
    /// The positions of the columns.
    package let columns: [Int]
    /// The local indexes of the entities.
    package let entities: [Int]
  }

  /// A many-to-many relationship.
  package struct Join: Sendable {
    /// The entity and the name of the relationship on the source's side.
    package let entity: String
    package let property: String
    package let source: TableIndex
    package let target: TableIndex
    /// Whether the relationship is its own inverse, so that each link has a twin in reverse.
    package let isSymmetric: Bool
    let link: LinkIndex
  }

  package let tables: [Table]
  package let joins: [Join]
  /// The model document, from which a later version learns the model of the store.
  package let document: JSONValue
  let model: ManagedObjectModel

  /// The numbers of the tables.
  package var tableIndices: Range<TableIndex> { TableIndex(0)..<TableIndex(tables.count) }

  /// Makes the schema of a store for contexts of a mapping.
  package init(_ mapping: Mapping) {
    self.init(mapping.model, identities: mapping.plan.identityNumbers)
  }

  /// Makes the schema of a store for a model document, without identities.
  package init(document: JSONValue) throws {
    let model = try ManagedObjectModel(document: document)
    self.init(model, identities: model.entities.map { _ in [] })
  }

  private init(_ model: ManagedObjectModel, identities: [[Int]]) {
    self.model = model
    tables = (TableIndex(0)..<TableIndex(model.hierarchies.count)).map {
      Self.table($0, in: model, identityNumbers: identities)
    }
    joins = model.links.numbered(by: LinkIndex.self).compactMap { number, link -> Join? in
      guard link.kind == .manyToMany else { return nil }
      let property = model.hierarchies[link.sides.0.hierarchy].properties[link.sides.0.number]
      return Join(
        entity: model.resolved[property.entity].name, property: property.name,
        source: link.sides.0.hierarchy, target: link.sides.1.hierarchy,
        isSymmetric: link.isSymmetric, link: number)
    }
    document = model.document
  }

  /// The kept properties in lines, whose comparison distinguishes schemas.
  package var lines: [String] {
    var lines: [String] = []
    for (number, hierarchy) in model.hierarchies.numbered(by: TableIndex.self) {
      for property in hierarchy.properties where !property.name.isEmpty {
        let name = model.resolved[property.entity].name + "." + property.name
        if let attribute = property.attribute {
          guard !attribute.isTransient else { continue }
          lines.append("\(name): \(attribute.type.rawValue)")
        } else if let relationship = property.relationship {
          let kind = relationship.isToMany ? "to many" : "to one"
          // The column or join of a relationship depends on its inverse.
          let inverse = relationship.inverse.map { ", the inverse of \($0)" } ?? ""
          lines.append("\(name): \(kind) \(relationship.destination)\(inverse)")
        }
      }
      for entity in hierarchy.entities {
        let kind = model.resolved[entity].isAbstract ? "is abstract in" : "is in"
        lines.append("\(model.resolved[entity].name) \(kind) \(tables[number].name)")
      }
    }
    return lines
  }

  private static func table(
    _ number: TableIndex, in model: ManagedObjectModel, identityNumbers: [[Int]]
  ) -> Table {
    let hierarchy = model.hierarchies[number]
    var columns: [TableColumn] = []
    for property in hierarchy.properties {
      let entity = model.resolved[property.entity].name
      func add(_ kind: TableColumn.Kind, isExclusive: Bool = false) {
        columns.append(
          TableColumn(
            property: property.name, entity: entity, kind: kind, isExclusive: isExclusive,
            number: property.number,
            link: property.field.link))
      }
      if let attribute = property.attribute {
        if !attribute.isTransient { add(.attribute(attribute.type)) }
        continue
      }
      guard property.field.isRelationship, !property.field.isToMany, property.field.side == .first
      else { continue }
      let link = model.links[property.field.link]
      add(.reference(table: link.sides.1.hierarchy), isExclusive: link.kind == .oneToOne)
      let inverse = model.hierarchies[link.sides.1.hierarchy].properties[link.sides.1.number]
      // The order of members matters only if their list has a name.
      if link.kind == .oneToMany && !inverse.name.isEmpty { add(.position) }
    }
    return Table(
      name: model.resolved[hierarchy.entities[0]].name,
      entities: hierarchy.entities.map { model.resolved[$0].name },
      hasRootObjects: !model.resolved[hierarchy.entities[0]].isAbstract, columns: columns,
      identities: identities(
        hierarchy, columns: columns, in: model, identityNumbers: identityNumbers))
  }

  /// Returns the identities with their entities, without identities of columns that are not kept.
  private static func identities(
    _ hierarchy: Hierarchy, columns: [TableColumn], in model: ManagedObjectModel,
    identityNumbers: [[Int]]
  ) -> [Identity] {
    var entitiesOf: [[Int]: [Int]] = [:]
    for (local, entity) in hierarchy.entities.enumerated() {
      let numbers = identityNumbers[entity]
      guard !numbers.isEmpty else { continue }
      entitiesOf[numbers, default: []].append(local)
    }
    return entitiesOf.sortedFew { $0.value[0] < $1.value[0] }.compactMap { numbers, entities in
      let positions = numbers.compactMap { number in
        columns.firstIndex { column in
          if case .position = column.kind { return false }
          return column.number == number
        }
      }
      guard positions.count == numbers.count else { return nil }
      return Identity(columns: positions, entities: entities)
    }
  }
}
