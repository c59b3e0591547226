// The entities and properties of a model, by their numbers.

/// An entity of a model.
package struct EntityReflection {
  package let name: String
  /// The number of the entity that it inherits from.
  package let parent: Int?
  package let isAbstract: Bool
  /// The number of its hierarchy, in which all properties are numbered.
  package let hierarchy: Int
  /// The number of its properties, including inherited ones.
  package let propertyCount: Int
}

/// A property of an entity.
package struct PropertyReflection {
  package let name: String
  /// The number from ``ManagedObjectContext/propertyNumber(_:of:)``.
  package let number: Int32
  /// The number of the entity that declares it.
  package let entity: Int
  package let isOptional: Bool
  package let isTransient: Bool
  /// The type of an attribute; nil for a relationship.
  package let type: AttributeType?
  package let isToMany: Bool
  package let isOrdered: Bool
  /// The number of a relationship's destination, and the inverse there.
  package let destination: Int?
  package let inverse: Int32?
}

/// The allowed values of an attribute, with the numbers of its hierarchy and of the property.
package struct ListedValues {
  package let hierarchy: Int
  package let property: Int
  package let json: JSONValue
}

extension ManagedObjectModel {
  /// Returns the position of the entity with a name in ``entities``.
  ///
  /// - Throws: ``Status/unknownEntity``.
  package func entityNumber(_ name: String) throws -> Int { try index(of: name).offset }

  /// Returns the entity at a position in ``entities``; nil without one.
  package func reflection(ofEntity number: Int) -> EntityReflection? {
    guard resolved.indices.contains(number) else { return nil }
    let entity = resolved[number]
    return EntityReflection(
      name: entity.name, parent: entity.parent?.offset, isAbstract: entity.isAbstract,
      hierarchy: entity.hierarchy.offset,
      propertyCount: entity.attributes.count + entity.relationships.count)
  }

  /// Returns a property of an entity: attributes come first, and those of the root before others.
  package func reflection(ofProperty index: Int, ofEntity number: Int) -> PropertyReflection? {
    guard resolved.indices.contains(number), index >= 0 else { return nil }
    let resolved = resolved[number]
    let others = index - resolved.attributes.count
    guard others < resolved.relationships.count else { return nil }
    let found = others < 0 ? resolved.attributes[index] : resolved.relationships[others]
    let property = hierarchies[resolved.hierarchy].properties[found]
    let relationship = property.relationship
    let destination = relationship.flatMap { try? self.index(of: $0.destination) }
    let inverse = relationship?.inverse.flatMap { name in
      destination.flatMap { self.resolved[$0].numberByName[name] }
    }
    return PropertyReflection(
      name: property.name, number: Int32(clamping: property.number),
      entity: property.entity.offset, isOptional: property.isOptional,
      isTransient: property.attribute?.isTransient ?? false, type: property.attribute?.type,
      isToMany: property.field.isToMany, isOrdered: relationship?.isOrdered ?? false,
      destination: destination?.offset, inverse: inverse.map { Int32(clamping: $0) })
  }

  /// The allowed values of all attributes that list some.
  package var listedValues: [ListedValues] {
    hierarchies.numbered(by: TableIndex.self).flatMap { number, hierarchy in
      hierarchy.properties.compactMap { property in
        guard property.values != nil, let attribute = property.attribute else { return nil }
        return ListedValues(
          hierarchy: number.offset, property: property.number,
          json: .array(attribute.constraints.values.map(\.json)))
      }
    }
  }

  /// By hierarchy and number, the names of properties.
  package var propertyNames: [[String]] { hierarchies.map { $0.properties.map(\.name) } }
}
