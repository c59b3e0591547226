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
