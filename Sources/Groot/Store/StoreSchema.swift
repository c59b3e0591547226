/// The schema of a store for a model: a table for each hierarchy, joins for many-to-many
/// relationships.
package struct StoreSchema: Sendable {
  /// The objects of a hierarchy.
  package struct Table: Sendable {
    /// The root entity's name.
    package let name: String
    /// All entities of the hierarchy by their local index, the root first.
    package let entities: [String]
    package let columns: [TableColumn]
    package let identities: [Identity]
  }

  /// A property whose value is stored with its object.
  package struct TableColumn: Sendable {
    package enum Kind: Sendable {
      case attribute(AttributeType)
      /// A to-one relationship to an object of a table.
      case reference(table: TableIndex)
      /// The position of the object among the members of what the reference before leads to.
      case position
    }

    /// The property's name; that of the relationship for a position.
    package let property: String
    /// The entity that declares it.
    package let entity: String
    package let kind: Kind
    /// Whether no two objects may lead to one: a one-to-one relationship.
    package let isExclusive: Bool
    /// The property's number in the hierarchy.
    let number: Int
    /// The link, when it is a relationship.
    let link: LinkIndex
  }

  /// The values that are unique among the objects of some entities.
  package struct Identity: Sendable {
    /// Positions of columns.
    package let columns: [Int]
    /// The entities, by their local indexes.
    package let entities: [Int]
  }

  /// A many-to-many relationship.
  package struct Join: Sendable {
    /// The entity and the name of the relationship on the source's side.
    package let entity: String
    package let property: String
    package let source: TableIndex
    package let target: TableIndex
    /// Whether the relationship is its own inverse: then each link has a twin the other way round.
    package let isSymmetric: Bool
    let link: LinkIndex
  }

  package let tables: [Table]
  package let joins: [Join]
  /// The model document, by which a later version recognises what the store was made for.
  package let document: JSONValue
  let model: ManagedObjectModel

  /// The numbers of the tables.
  package var tableIndices: Range<TableIndex> { TableIndex(0)..<TableIndex(tables.count) }

  /// The schema of a store for a context of a mapping.
  package init(_ mapping: Mapping) {
    self.init(mapping.model, identities: mapping.plan.identityNumbers)
  }

  /// The schema of a store that was made for a model document; identities are not known.
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

  /// The kept properties, a line for each, by which two schemas are told apart.
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
          // Which column or join a relationship is read from depends on the other side.
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
      // The order of members is seen only where the list of them has a name.
      if link.kind == .oneToMany && !inverse.name.isEmpty { add(.position) }
    }
    return Table(
      name: model.resolved[hierarchy.entities[0]].name,
      entities: hierarchy.entities.map { model.resolved[$0].name }, columns: columns,
      identities: identities(
        hierarchy, columns: columns, in: model, identityNumbers: identityNumbers))
  }

  /// The entities that share an identity; one of columns that are not kept is left out.
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
    return entitiesOf.sorted { $0.value[0] < $1.value[0] }.compactMap { numbers, entities in
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
