/// Reads the annotations of the naming conventions.
enum HyperAnnotations {
  private static let names = ["remoteKey", "nonExportable", "isPrimaryKey", "valueTransformer"]
  /// The name of the remote key in the first versions.
  private static let oldRemoteKey = "mapper.remote.key"
  /// System transformers, which Xcode enters by default.
  private static let systemTransformers = [
    "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer",
    "NSKeyedUnarchiveFromData", "NSUnarchiveFromData",
  ]

  private static func value(_ name: String, property: Property) -> String? {
    property.userInfo["sync." + name] ?? property.userInfo["hyper." + name]
  }

  /// Returns the JSON key of an annotation; an empty one counts as missing.
  static func remoteKey(_ property: Property) -> String? {
    let key = value("remoteKey", property: property) ?? property.userInfo[oldRemoteKey]
    return key?.isEmpty == false ? key : nil
  }

  /// Returns whether exports omit a property: the presence of the annotation counts, not its value.
  static func isHidden(_ property: Property) -> Bool {
    value("nonExportable", property: property) != nil
  }

  static func isPrimaryKey(_ property: Property) -> Bool {
    let text = value("isPrimaryKey", property: property)
    return text == "YES" || text == "true"
  }

  /// Returns the name of a property's value transformer.
  static func transformer(_ property: Property) -> String? {
    if let name = value("valueTransformer", property: property) { return name.isEmpty ? nil : name }
    guard property.attribute?.type == .transformable,
      let name = property.userInfo["valueTransformerName"],
      !name.isEmpty, !systemTransformers.contains(name)
    else { return nil }
    return name
  }

  // MARK: Warnings

  /// Reports annotations of an entity that look wrong.
  static func lint(_ entity: EntityDescription, compilation: inout MappingCompilation) {
    lint(
      entity.userInfo,
      known: ["groot.entityMapper", "groot.dictionaryTransformer", "groot.deletionMark"],
      entity: entity.name, property: "", compilation: &compilation)
    for attribute in entity.attributes {
      lint(
        attribute.userInfo, entity: entity.name, property: attribute.name, isAttribute: true,
        compilation: &compilation)
    }
    for relationship in entity.relationships {
      lint(
        relationship.userInfo, entity: entity.name, property: relationship.name, isAttribute: false,
        compilation: &compilation)
    }
  }

  /// Reports annotations of the dialect `groot` that this dialect does not read.
  private static func lint(
    _ userInfo: NameMap<String>, known: [String], entity: String, property: String,
    compilation: inout MappingCompilation
  ) {
    for key in userInfo.keys where key.utf8.starts(with: "groot.".utf8) {
      if known.contains(where: { Name($0) == Name(key) }) { continue }
      compilation.warn(
        "the annotation '\(key.shortened)' has no meaning by conventions", entity: entity,
        property: property)
    }
  }

  /// Reports a remote key that looks like a key path of the dialect `groot`.
  private static func lintRemoteKey(
    _ key: String, entity: String, property: String, compilation: inout MappingCompilation
  ) {
    guard let path = try? JSONKeyPath.parsing(key) else { return }
    if path.origin == .object && path.segments.allSatisfy({ $0.key != nil }) { return }
    compilation.warn(
      "by conventions the remote key '\(key.shortened)' names keys only: positions, '[]' and '@' "
        + "have a meaning in the dialect groot", entity: entity, property: property)
  }

  private static func lint(
    _ userInfo: NameMap<String>, entity: String, property: String, isAttribute: Bool,
    compilation: inout MappingCompilation
  ) {
    lint(
      userInfo, known: Policies.names.map { "groot." + $0 }, entity: entity, property: property,
      compilation: &compilation)
    for (key, value) in userInfo {
      if ["sync.remoteKey", "hyper.remoteKey", oldRemoteKey].contains(key) {
        lintRemoteKey(value, entity: entity, property: property, compilation: &compilation)
      }
      if key == oldRemoteKey {
        compilation.warn(
          "'\(key)' is an old name; use 'sync.remoteKey'", entity: entity, property: property)
      }
      guard let prefix = ["sync.", "hyper."].first(where: { key.utf8.starts(with: $0.utf8) }) else {
        continue
      }
      let name = String(decoding: key.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
      if !names.contains(where: { Name($0) == Name(name) }) {
        compilation.warn(
          "the annotation '\(key.shortened)' is not known; there are \(listed(names.map { prefix + $0 }))",
          entity: entity, property: property)
      } else if !isAttribute && (name == "isPrimaryKey" || name == "valueTransformer") {
        compilation.warn(
          "the annotation '\(key)' has no meaning on a relationship", entity: entity,
          property: property)
      } else if name == "nonExportable",
        ["no", "false", "0"].contains(value.lowercased())
      {
        compilation.warn(
          "'\(key)' counts with any value; remove it to export the property", entity: entity,
          property: property)
      }
    }
  }
}
