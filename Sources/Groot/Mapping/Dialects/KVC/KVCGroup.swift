/// The rules of one entity, uncompiled.
struct KVCGroup {
  /// The keys of its records in an envelope.
  var externalNames: [String] = []
  var entity: EntityIndex
  var primaryKey: String?
  var rules: JSONObject
  /// The path of the rules, for messages.
  var path: String
  /// The number of rules around these.
  var depth = 0

  /// The greatest depth of nested rules.
  static let maximumDepth = 64

  /// Reads `{"user, users": {"User.identifier": {...}}}`; the external name may be missing:
  /// `{"User.identifier": {...}}`.
  static func groups(
    _ rules: JSONValue, in model: ManagedObjectModel, compilation: inout MappingCompilation
  ) -> [KVCGroup] {
    guard case .object(let object) = rules, object.count > 0 else {
      compilation.report(
        .invalidMapping, "rules are an object of external names, entities and their rules",
        entity: "",
        path: "$")
      return []
    }
    return object.members.compactMap { names, group in
      let path = "$" + MessagePath.member(names.shortened)
      guard case .object(let entities) = group else {
        compilation.report(
          .invalidMapping, "an external name has an object of an entity and its rules",
          entity: "",
          path: path)
        return nil
      }
      if let only = entities.members.first, entities.count == 1,
        case .object(let own) = only.value,
        var found = named(
          only.key, rules: own, at: path + MessagePath.member(only.key.shortened), in: model)
      {
        found.externalNames = names.parts(separatedBy: Byte.comma).map(\.withoutOuterSpaces)
        return found
      }
      if let found = named(names, rules: entities, at: path, in: model) {
        var found = found
        found.externalNames = [model.resolved[found.entity].name]
        return found
      }
      note(entities, at: path, in: model, compilation: &compilation)
      return nil
    }
  }

  /// Returns the group of `Entity` or `Entity.primaryKey`; nil if there is no entity of the name.
  private static func named(
    _ text: String, rules: JSONObject, at path: String, in model: ManagedObjectModel
  ) -> KVCGroup? {
    let parts = text.parts(separatedBy: Byte.point)
    guard let name = parts.first, parts.count <= 2, !parts.contains(""),
      let entity = try? model.index(of: name)
    else { return nil }
    return KVCGroup(
      entity: entity, primaryKey: parts.count == 2 ? parts[1] : nil, rules: rules, path: path)
  }

  /// Reports why no group was found.
  private static func note(
    _ entities: JSONObject, at path: String, in model: ManagedObjectModel,
    compilation: inout MappingCompilation
  ) {
    guard let only = entities.members.first, entities.count == 1 else {
      compilation.report(
        .invalidMapping,
        "an external name has one entity with its rules, not \(entities.count)",
        entity: "",
        path: path)
      return
    }
    let location = path + MessagePath.member(only.key.shortened)
    guard case .object = only.value else {
      compilation.report(
        .invalidMapping, "the rules of an entity are an object of external keys", entity: "",
        path: location)
      return
    }
    compilation.report(
      .invalidMapping,
      "'\(only.key.shortened)' is neither an entity nor an entity with its primary key; entities are "
        + listed(model.entities.lazy.map(\.name)), entity: "", path: location)
  }
}
