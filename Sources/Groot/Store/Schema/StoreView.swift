/// The objects of an entity as a person reads them: their values, and the names of linked objects.
package struct StoreView {
  /// A property of the entity, with its place in the store.
  package struct Property {
    package let name: String
    package let end: JoinedProperty.End
    /// By a relationship, the columns that name a member, the most telling first.
    package let labels: [Int]
  }

  package let entity: String
  package let table: TableIndex
  /// The local indexes of the entity and its descendants.
  package let entities: ClosedRange<Int>
  package let properties: [Property]
}

extension StoreSchema {
  /// A view of each entity, in the order of the model.
  package var views: [StoreView] {
    model.resolved.map { entity in
      let properties = model.hierarchies[entity.hierarchy].properties
      return StoreView(
        entity: entity.name, table: entity.hierarchy,
        entities: Int(entity.subtree.lowerBound)...Int(entity.subtree.upperBound),
        properties: (entity.attributes + entity.relationships).compactMap { number in
          let property = properties[number]
          guard !property.name.isEmpty, let end = end(property, table: entity.hierarchy) else {
            return nil
          }
          return StoreView.Property(
            name: property.name, end: end,
            labels: property.relationship.flatMap { try? model.index(of: $0.destination) }
              .map(labels) ?? [])
        })
    }
  }

  /// The names by which a text is taken for the label of an object.
  private static let labelNames = ["name", "title", "label"]

  /// The columns that name an object of an entity: a label, and its identity.
  private func labels(of index: EntityIndex) -> [Int] {
    let entity = model.resolved[index]
    let table = tables[entity.hierarchy]
    let properties = model.hierarchies[entity.hierarchy].properties
    let label = Self.labelNames.lazy.compactMap { name -> Int? in
      guard let number = entity.numberByName[name],
        case .attribute(let column) = end(properties[number], table: entity.hierarchy),
        case .attribute(.string) = table.columns[column].kind
      else { return nil }
      return column
    }.first
    let identity = table.identities.first { $0.entities.contains(Int(entity.localIndex)) }?
      .columns.first { position in
        if case .attribute = table.columns[position].kind { true } else { false }
      }
    return [label, identity == label ? nil : identity].compactMap { $0 }
  }
}
