/// An immutable set of entities, checked as a whole when it is made.
///
/// A model is made from descriptions in Swift, or from a model document (JSON). Threads and
/// contexts can share it.
///
/// ```swift
/// let model = try ManagedObjectModel(entities: [
///   EntityDescription("Publisher", attributes: [AttributeDescription("name", .string)])
/// ])
/// ```
public final class ManagedObjectModel: Sendable {
  /// The entities in their original order.
  public let entities: [EntityDescription]

  /// The entities with resolved names, in the same order.
  let resolved: [ResolvedEntity]
  /// The hierarchies, each with the layout of its records.
  let hierarchies: [Hierarchy]
  /// The pairs of relationships that are kept consistent.
  let links: [LinkDefinition]

  private let indexByName: NameMap<EntityIndex>

  /// Makes a model from descriptions.
  ///
  /// - Throws: ``GrootError`` with an issue for each mistake and the status of the first:
  ///   ``Status/invalidModel``, or ``Status/limitExceeded`` beyond the limits in
  ///   docs/reference/model-document.md.
  public init(entities: [EntityDescription]) throws(GrootError) {
    var checker = ModelChecker(entities: entities)
    checker.check()
    if let first = checker.issues.first { throw GrootError(first.status, checker.issues) }
    let resolver = ModelResolver(entities: entities)
    self.entities = entities
    self.resolved = resolver.resolved
    self.hierarchies = resolver.hierarchies
    self.links = resolver.links
    self.indexByName = resolver.indexByName
  }

  /// Returns the description of the entity with a name; nil without one.
  public func entity(named name: String) -> EntityDescription? {
    indexByName[name].map { entities[$0] }
  }

  /// The numbers of the entities.
  var entityIndices: Range<EntityIndex> { EntityIndex(0)..<EntityIndex(entities.count) }

  /// Returns the position of the entity with a name in ``entities``.
  func index(of name: String) throws(GrootError) -> EntityIndex {
    guard let index = indexByName[name] else {
      throw GrootError(
        .unknownEntity,
        "no entity has this name; the model has \(listed(entities.lazy.map(\.name)))",
        entity: name)
    }
    return index
  }

  /// Returns the property with a name of an entity, own or inherited.
  func property(
    named name: String, of entity: EntityIndex
  ) throws(GrootError) -> Property {
    guard let number = resolved[entity].numberByName[name] else {
      let resolved = resolved[entity]
      throw GrootError(
        .unknownProperty,
        "the entity has no property of this name; it has \(listed(resolved.propertyNames))",
        entity: resolved.name, property: name)
    }
    return hierarchies[resolved[entity].hierarchy].properties[number]
  }

  /// Returns whether `entity` is `ancestor` or inherits from it.
  func isKind(_ entity: EntityIndex, of ancestor: EntityIndex) -> Bool {
    let ancestor = resolved[ancestor]
    return resolved[entity].hierarchy == ancestor.hierarchy
      && ancestor.subtree.contains(resolved[entity].localIndex)
  }
}

/// Returns names in quotes for a message, shortened if there are many.
func listed(_ names: some Collection<String>) -> String {
  guard !names.isEmpty else { return "none" }
  let shown = names.prefix(16).map { "'\($0)'" }.joined(separator: ", ")
  return names.count > 16 ? shown + ", ..." : shown
}

// A model written as a model document.

extension ManagedObjectModel {
  /// The model as a model document with explicit defaults.
  ///
  /// For bindings of other languages, each entity also has `allProperties`, the names of its own
  /// and inherited properties in order. Making a model ignores this key.
  public var document: JSONValue {
    var members = JSONObject()
    for (index, entity) in entities.enumerated() {
      members[entity.name] = .object(describe(entity, resolved: resolved[index]))
    }
    return ["entities": .object(members)]
  }

  private func describe(_ entity: EntityDescription, resolved: ResolvedEntity) -> JSONObject {
    var object = JSONObject()
    object["parent"] = entity.parent.map(JSONValue.string) ?? .null
    object["abstract"] = .boolean(entity.isAbstract)
    var attributes = JSONObject()
    for attribute in entity.attributes { attributes[attribute.name] = describe(attribute) }
    object["attributes"] = .object(attributes)
    var relationships = JSONObject()
    for relationship in entity.relationships {
      relationships[relationship.name] = describe(relationship)
    }
    object["relationships"] = .object(relationships)
    object["uniquenessConstraints"] = .array(
      entity.uniquenessConstraints.map { .array($0.map(JSONValue.string)) })
    object["renamingIdentifier"] = entity.renamingIdentifier.map(JSONValue.string) ?? .null
    object["userInfo"] = describe(entity.userInfo)
    object["allProperties"] = .array(resolved.propertyNames.map(JSONValue.string))
    return object
  }

  private func describe(_ attribute: AttributeDescription) -> JSONValue {
    var object = JSONObject()
    object["type"] = .string(attribute.type.rawValue)
    object["optional"] = .boolean(attribute.isOptional)
    object["default"] = attribute.defaultValue.json
    let constraints = attribute.constraints
    object["min"] = constraints.minimum.json
    object["max"] = constraints.maximum.json
    object["minLength"] = constraints.minimumLength.map { .integer(Int64($0)) } ?? .null
    object["maxLength"] = constraints.maximumLength.map { .integer(Int64($0)) } ?? .null
    object["pattern"] = constraints.pattern.map(JSONValue.string) ?? .null
    object["values"] =
      constraints.values.isEmpty ? .null : .array(constraints.values.map(\.json))
    object["transient"] = .boolean(attribute.isTransient)
    if attribute.type == .composite {
      var elements = JSONObject()
      for element in attribute.elements { elements[element.name] = describe(element) }
      object["elements"] = .object(elements)
    }
    object["renamingIdentifier"] = attribute.renamingIdentifier.map(JSONValue.string) ?? .null
    object["userInfo"] = describe(attribute.userInfo)
    return .object(object)
  }

  private func describe(_ relationship: RelationshipDescription) -> JSONValue {
    var object = JSONObject()
    object["destination"] = .string(relationship.destination)
    object["toMany"] = .boolean(relationship.isToMany)
    object["ordered"] = .boolean(relationship.isOrdered)
    object["inverse"] = relationship.inverse.map(JSONValue.string) ?? .null
    object["optional"] = .boolean(relationship.isOptional)
    object["minCount"] = .integer(Int64(relationship.minimumCount))
    object["maxCount"] = .integer(Int64(relationship.maximumCount))
    object["deleteRule"] = .string(relationship.deleteRule.rawValue)
    object["renamingIdentifier"] = relationship.renamingIdentifier.map(JSONValue.string) ?? .null
    object["userInfo"] = describe(relationship.userInfo)
    return .object(object)
  }

  private func describe(_ userInfo: NameMap<String>) -> JSONValue {
    var object = JSONObject()
    for (key, text) in userInfo { object[key] = .string(text) }
    return .object(object)
  }
}

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
