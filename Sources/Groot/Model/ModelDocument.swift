/// Reads a model document: a model as JSON (docs/reference/model-document.schema.json).
///
/// Reading continues after a mistake, so all issues are reported together, each with its path.
struct ModelDocument {
  private(set) var entities: [EntityDescription] = []
  private(set) var issues: [GrootIssue] = []

  init(_ json: JSONValue) {
    guard case .object(let document) = json else {
      report("a model document is a JSON object", at: "$")
      return
    }
    checkKeys(document, known: ["entities", "version", "$schema"], at: "$")
    guard let list = document["entities"] else {
      report("the document has no \"entities\"", at: "$")
      return
    }
    guard case .object(let members) = list else {
      report("\"entities\" is an object of entities by name", at: "$.entities")
      return
    }
    for (name, value) in members.members {
      guard isShort(name, at: "$.entities") else { continue }
      entity(name, json: value, at: "$.entities" + MessagePath.member(name))
    }
  }

  mutating func report(_ message: String, status: Status = .invalidModel, at path: String) {
    issues.append(GrootIssue(status, message, path: path))
  }

  /// Returns whether a name is within the limit; reports a longer one, which is omitted from other
  /// paths.
  private mutating func isShort(_ name: String, at path: String) -> Bool {
    if name.utf8.count <= ModelLimits.nameLength { return true }
    issues.append(
      GrootIssue(
        .limitExceeded,
        "the name '\(name.shortened)' has more than \(ModelLimits.nameLength) bytes", path: path))
    return false
  }

  /// Reports unknown keys, which are probably misspelt.
  private mutating func checkKeys(_ object: JSONObject, known: [String], at path: String) {
    for (key, _) in object.members where !known.contains(where: { Name($0) == Name(key) }) {
      let advice =
        known.contains("userInfo") && Self.isAnnotation(key)
        ? "is an annotation; write it in \"userInfo\""
        : "is not known here; known are \(listed(known))"
      report("'\(key.shortened)' \(advice)", at: path + MessagePath.member(key.shortened))
    }
  }

  /// Whether an unknown key looks like an annotation, whatever its dialect.
  private static func isAnnotation(_ key: String) -> Bool {
    key.utf8.contains(UInt8(ascii: "."))
      || ["JSON", "identityAttribute", "entityMapperName"].contains { key.hasPrefix($0) }
  }

  private mutating func entity(_ name: String, json: JSONValue, at path: String) {
    guard case .object(let object) = json else { return report("an entity is an object", at: path) }
    checkKeys(
      object,
      known: [
        "parent", "abstract", "attributes", "relationships", "uniquenessConstraints",
        "renamingIdentifier", "userInfo", "allProperties",
      ], at: path)
    var entity = EntityDescription(name)
    entity.parent = string(object, key: "parent", at: path)
    entity.isAbstract = boolean(object, key: "abstract", at: path) ?? false
    entity.renamingIdentifier = string(object, key: "renamingIdentifier", at: path)
    entity.userInfo = userInfo(object, at: path)
    for (name, value, location) in named(object, key: "attributes", at: path) {
      if let attribute = attribute(name, json: value, at: location) {
        entity.attributes.append(attribute)
      }
    }
    for (name, value, location) in named(object, key: "relationships", at: path) {
      if let relationship = relationship(name, json: value, at: location) {
        entity.relationships.append(relationship)
      }
    }
    if let list = object["uniquenessConstraints"] {
      entity.uniquenessConstraints = constraints(list, at: path + ".uniquenessConstraints")
    }
    entities.append(entity)
  }

  private mutating func attribute(
    _ name: String, json: JSONValue, at path: String, depth: Int = 1
  ) -> AttributeDescription? {
    guard case .object(let object) = json else {
      report("an attribute is an object", at: path)
      return nil
    }
    checkKeys(
      object,
      known: [
        "type", "optional", "default", "min", "max", "minLength", "maxLength", "pattern", "values",
        "transient", "elements", "renamingIdentifier", "userInfo",
      ], at: path)
    guard let type = attributeType(object, at: path) else {
      // Kept, so that references to it are not reported as well.
      return AttributeDescription(name, .transformable)
    }
    var attribute = AttributeDescription(name, type)
    attribute.isOptional = boolean(object, key: "optional", at: path) ?? false
    attribute.isTransient = boolean(object, key: "transient", at: path) ?? false
    attribute.defaultValue = value(object, key: "default", as: type, at: path)
    attribute.constraints = AttributeDescription.Constraints(
      minimum: value(object, key: "min", as: type, at: path),
      maximum: value(object, key: "max", as: type, at: path),
      minimumLength: count(object, key: "minLength", at: path),
      maximumLength: count(object, key: "maxLength", at: path),
      pattern: string(object, key: "pattern", at: path),
      values: values(object, as: type, at: path))
    attribute.renamingIdentifier = string(object, key: "renamingIdentifier", at: path)
    attribute.userInfo = userInfo(object, at: path)
    for (name, value, location) in named(object, key: "elements", at: path) {
      if depth == ModelLimits.compositeDepth {
        report(
          "composite attributes nest more than \(ModelLimits.compositeDepth) deep", at: location)
      } else if let element = self.attribute(name, json: value, at: location, depth: depth + 1) {
        attribute.elements.append(element)
      }
    }
    return attribute
  }

  private mutating func attributeType(_ object: JSONObject, at path: String) -> AttributeType? {
    guard let name = string(object, key: "type", at: path) else {
      if object["type"]?.isNull != false { report("the attribute has no \"type\"", at: path) }
      return nil
    }
    guard let type = AttributeType(rawValue: name) else {
      report(
        "'\(name)' is not an attribute type; types are "
          + listed(AttributeType.allCases.map(\.rawValue)), at: path + ".type")
      return nil
    }
    return type
  }

  private mutating func relationship(
    _ name: String, json: JSONValue, at path: String
  ) -> RelationshipDescription? {
    guard case .object(let object) = json else {
      report("a relationship is an object", at: path)
      return nil
    }
    checkKeys(
      object,
      known: [
        "destination", "toMany", "ordered", "inverse", "optional", "minCount", "maxCount",
        "deleteRule", "renamingIdentifier", "userInfo",
      ], at: path)
    guard let destination = string(object, key: "destination", at: path) else {
      if object["destination"]?.isNull != false {
        report("the relationship has no \"destination\"", at: path)
      }
      return nil
    }
    var relationship = RelationshipDescription(name, to: destination)
    relationship.isToMany = boolean(object, key: "toMany", at: path) ?? false
    relationship.isOrdered = boolean(object, key: "ordered", at: path) ?? false
    relationship.inverse = string(object, key: "inverse", at: path)
    relationship.isOptional = boolean(object, key: "optional", at: path) ?? false
    relationship.minimumCount = count(object, key: "minCount", at: path) ?? 0
    relationship.maximumCount = count(object, key: "maxCount", at: path) ?? 0
    if let rule = string(object, key: "deleteRule", at: path) {
      if let known = RelationshipDescription.DeleteRule(rawValue: rule) {
        relationship.deleteRule = known
      } else {
        report(
          "'\(rule)' is not a delete rule; rules are "
            + listed(RelationshipDescription.DeleteRule.allCases.map(\.rawValue)),
          at: path + ".deleteRule")
      }
    }
    relationship.renamingIdentifier = string(object, key: "renamingIdentifier", at: path)
    relationship.userInfo = userInfo(object, at: path)
    return relationship
  }

  // MARK: Members

  private mutating func string(_ object: JSONObject, key: String, at path: String) -> String? {
    switch object[key] {
    case nil, .null?: return nil
    case .string(let text)?: return text
    default:
      report("\"\(key)\" is text", at: path + MessagePath.member(key))
      return nil
    }
  }

  private mutating func boolean(_ object: JSONObject, key: String, at path: String) -> Bool? {
    switch object[key] {
    case nil, .null?: return nil
    case .boolean(let truth)?: return truth
    default:
      report("\"\(key)\" is true or false", at: path + MessagePath.member(key))
      return nil
    }
  }

  private mutating func count(_ object: JSONObject, key: String, at path: String) -> Int? {
    switch object[key] {
    case nil, .null?: return nil
    case .integer(let number)? where number >= 0 && number <= Int64(Int32.max): return Int(number)
    default:
      report(
        "\"\(key)\" is a whole number from 0 to \(Int32.max)", at: path + MessagePath.member(key))
      return nil
    }
  }

  private mutating func value(
    _ object: JSONObject, key: String, as type: AttributeType, at path: String
  ) -> Value {
    guard let json = object[key] else { return .null }
    return value(json, as: type, at: path + MessagePath.member(key)) ?? .null
  }

  private mutating func named(
    _ object: JSONObject, key: String, at path: String
  ) -> [(name: String, value: JSONValue, path: String)] {
    let location = path + MessagePath.member(key)
    switch object[key] {
    case nil, .null?: return []
    case .object(let members)?:
      return members.members.compactMap { name, value in
        guard key == "userInfo" || isShort(name, at: location) else { return nil }
        return (name, value, location + MessagePath.member(name))
      }
    default:
      report("\"\(key)\" is an object by name", at: location)
      return []
    }
  }

  private mutating func constraints(_ json: JSONValue, at path: String) -> [[String]] {
    guard case .array(let lists) = json else {
      report("\"uniquenessConstraints\" is a list of lists of attribute names", at: path)
      return []
    }
    return lists.enumerated().compactMap { index, list in
      guard case .array(let names) = list else {
        report("a uniqueness constraint is a list of attribute names", at: "\(path)[\(index)]")
        return nil
      }
      return names.compactMap { name in
        if let text = name.stringValue { return text }
        report("a uniqueness constraint is a list of attribute names", at: "\(path)[\(index)]")
        return nil
      }
    }
  }

  /// Reads annotations as text, as in Core Data; numbers and truth values become their text.
  private mutating func userInfo(_ object: JSONObject, at path: String) -> NameMap<String> {
    var result: NameMap<String> = [:]
    for (key, value, location) in named(object, key: "userInfo", at: path) {
      switch value {
      case .string(let text): result[key] = text
      case .boolean, .integer, .real, .largeNumber: result[key] = value.description
      case .null: break
      default: report("an annotation is text", at: location)
      }
    }
    return result
  }
}

extension ManagedObjectModel {
  /// Makes a model from a model document.
  ///
  /// - Throws: ``Status/invalidJSON``, or ``Status/invalidModel`` with an issue for each mistake.
  public convenience init(document text: String) throws(GrootError) {
    var text = text
    let json = try GrootError.carrying {
      try text.withUTF8 { try JSONValue(keepingDigits: $0) }
    }
    try self.init(document: json)
  }

  /// Makes a model from the model document in a file.
  ///
  /// - Throws: ``Status/fileError``; else as ``init(document:)-(String)``, with the file's name in
  ///   each message.
  public convenience init(contentsOfFile path: String) throws(GrootError) {
    let json = try GrootError.carrying {
      try InputFile(path).withContents { bytes in
        do throws(GrootError) {
          return try JSONValue(keepingDigits: bytes)
        } catch {
          throw error.naming(path)
        }
      }
    }
    do throws(GrootError) {
      try self.init(document: json)
    } catch {
      throw error.naming(path)
    }
  }

  /// Makes a model from a parsed model document.
  ///
  /// - Throws: ``Status/invalidModel`` with an issue for each mistake.
  public convenience init(document json: JSONValue) throws(GrootError) {
    let document = ModelDocument(json)
    if let first = document.issues.first {
      var checker = ModelChecker(entities: document.entities)
      checker.check()
      throw GrootError(first.status, document.issues + checker.issues)
    }
    try self.init(entities: document.entities)
  }
}

// The allowed values of attributes.

extension ModelDocument {
  /// Reads the list of an attribute's values; empty without one.
  mutating func values(_ object: JSONObject, as type: AttributeType, at path: String) -> [Value] {
    let location = path + MessagePath.member("values")
    switch object["values"] {
    case nil, .null?: return []
    case .array(let list)? where !list.isEmpty:
      return list.enumerated().compactMap { position, json in
        let path = location + MessagePath.element(position)
        if !json.isNull { return value(json, as: type, at: path) }
        report("null does not fit the type \(type.rawValue)", at: path)
        return nil
      }
    default:
      report("\"values\" is a list of at least one value", at: location)
      return []
    }
  }

  /// Reads the value of an attribute; reports a value that does not fit and returns nil.
  mutating func value(_ json: JSONValue, as type: AttributeType, at path: String) -> Value? {
    do {
      return try Value(json, as: type)
    } catch let error as GrootError where error.status == .limitExceeded {
      for issue in error.issues { report(issue.message, status: issue.status, at: path) }
    } catch {
      let shown = json.description.shortened
      report("the value \(shown) does not fit the type \(type.rawValue)", at: path)
    }
    return nil
  }
}
