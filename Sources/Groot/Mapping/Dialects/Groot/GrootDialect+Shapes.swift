// The annotations of entities that describe the shape and the meaning of a record.

extension GrootDialect {
  /// Applies the annotations of an entity, or of its nearest ancestor that has them, to a mapping.
  mutating func compileShapes(
    _ mapping: inout EntityMapping, _ entity: EntityDescription,
    compilation: inout MappingCompilation
  ) {
    let forms = UnknownKeys.allCases.map { "\($0)" }
    if let name = chosen("groot.unknownKeys", from: mapping.entity, forms, &compilation) {
      mapping.unknownKeys = UnknownKeys.allCases.first { "\($0)" == name }
    }
    compileDiscriminator(&mapping, compilation: &compilation)
    markPlaces(&mapping)
    checkPlaces(mapping, entity, compilation: &compilation)
    mapping.version = compilation.attribute("groot.version", of: mapping.entity, in: model) {
      [.integer16, .integer32, .integer64, .double, .float, .decimal, .date, .day, .string]
        .contains($0)
    }
    let rules = ["newer", "newerOrEqual"]
    mapping.takesEqualVersion =
      chosen("groot.versionRule", from: mapping.entity, rules, &compilation) == "newerOrEqual"
    mapping.deletionMark = compilation.deletionMark(of: mapping.entity, in: model)
    compileTombstone(&mapping, compilation: &compilation)
  }

  private func chosen(
    _ name: String, from index: EntityIndex, _ values: [String],
    _ compilation: inout MappingCompilation
  ) -> String? {
    guard let (entity, value) = model.nearest(name, from: index) else { return nil }
    if values.contains(value) { return value }
    compilation.report(
      .invalidMapping, "\(name) is \(listed(values)), not '\(value.shortened)'",
      entity: model.entities[entity].name)
    return nil
  }

  // MARK: Discriminators

  private mutating func compileDiscriminator(
    _ mapping: inout EntityMapping, compilation: inout MappingCompilation
  ) {
    guard let (base, text) = model.nearest("groot.discriminator", from: mapping.entity) else {
      return
    }
    if discriminators[base] == nil {
      discriminators[base] = discriminator(of: base, text, compilation: &compilation)
    }
    guard let discriminator = discriminators[base] ?? nil else { return }
    mapping.discriminator = discriminator
    mapping.discriminatorBase = base
    let entity = model.entities[mapping.entity]
    mapping.discriminatorValue = entity.userInfo["groot.discriminatorValue"]
    // Objects of the base have unknown kinds, so the base does not need a value.
    let hasName = mapping.entity != base || discriminator.unknown != .base
    if mapping.discriminatorValue == nil, hasName, !entity.isAbstract {
      mapping.discriminatorValue = entity.name
    }
  }

  private func discriminator(
    of base: EntityIndex, _ text: String, compilation: inout MappingCompilation
  ) -> DiscriminatorMapping? {
    let name = model.entities[base].name
    let path: JSONKeyPath
    do throws(JSONKeyPath.SyntaxError) {
      path = try JSONKeyPath.parsing(text)
      guard path.isUsable, !path.hasElements, path.origin != .rest, path.origin != .index else {
        throw JSONKeyPath.SyntaxError(reason: "it does not lead to one text")
      }
    } catch {
      compilation.report(
        .invalidMapping, "groot.discriminator '\(text.shortened)' cannot be used: \(error.reason)",
        entity: name)
      return nil
    }
    let choices = DiscriminatorMapping.Unknown.allCases.map { "\($0)" }
    let unknown = chosen("groot.unknownDiscriminator", from: base, choices, &compilation)
    var mapping = DiscriminatorMapping(
      path: path, values: [:],
      unknown: DiscriminatorMapping.Unknown.allCases.first { "\($0)" == unknown } ?? .error)
    let resolved = model.resolved[base]
    for local in resolved.subtree {
      let index = model.hierarchies[resolved.hierarchy].entities[Int(local)]
      let entity = model.entities[index]
      guard !entity.isAbstract else { continue }
      let value = entity.userInfo["groot.discriminatorValue"] ?? entity.name
      if let other = mapping.values[value] {
        compilation.report(
          .invalidMapping,
          "groot.discriminatorValue '\(value.shortened)' is already the value of "
            + "'\(model.entities[other].name)'", entity: entity.name)
      }
      mapping.values[value] = index
    }
    return mapping
  }

  // MARK: Places

  /// Marks properties whose values describe the place of an object, not the object itself.
  private func markPlaces(_ mapping: inout EntityMapping) {
    for position in mapping.properties.indices {
      guard let path = mapping.properties[position].inputs.first else { continue }
      switch path.origin {
      case .index, .key, .parent, .root:
        mapping.properties[position].options.insert(.saysNothing)
      case .object where path == mapping.discriminator?.path:
        mapping.properties[position].options.insert(.saysNothing)
      case .object, .value, .rest: break
      }
    }
  }

  private func checkPlaces(
    _ mapping: EntityMapping, _ entity: EntityDescription, compilation: inout MappingCompilation
  ) {
    let rests = mapping.properties.filter { $0.options.contains(.isRest) }
    if rests.count > 1 {
      compilation.report(
        .invalidMapping, "'\(rests[0].property.name)' has the JSONKeyPath '@rest' already",
        entity: entity.name, property: rests[1].property.name)
    }
    let identity = mapping.properties.filter { mapping.identity.contains($0.property.number) }
    let isInOwner = identity.contains { $0.property.field.isRelationship }
    for property in identity where property.inputs.first?.origin == .index && !isInOwner {
      compilation.report(
        .invalidMapping,
        "a position identifies an object within an owner only: identityAttributes needs the to-one "
          + "relationship to it, too", entity: entity.name, property: property.property.name)
    }
  }

  // MARK: Tombstones

  private func compileTombstone(
    _ mapping: inout EntityMapping, compilation: inout MappingCompilation
  ) {
    guard let (entity, text) = model.nearest("groot.tombstone", from: mapping.entity) else {
      return
    }
    let parts = text.split(separator: "=", maxSplits: 1).map { String($0).withoutOuterSpaces }
    do throws(JSONKeyPath.SyntaxError) {
      guard parts.count == 2 else {
        throw JSONKeyPath.SyntaxError(reason: "a path and a value are 'path=value'")
      }
      let path = try JSONKeyPath.parsing(parts[0])
      guard path.isUsable, !path.hasElements, path.origin == .object else {
        throw JSONKeyPath.SyntaxError(reason: "the path does not lead to one value of the object")
      }
      let value = (try? JSONValue(parsing: "[\(parts[1])]"))?.arrayValue?.first
      if value?.arrayValue != nil || value?.objectValue != nil {
        throw JSONKeyPath.SyntaxError(
          reason: "the value is a text, a number, true, false or null, not an array or an object")
      }
      mapping.tombstone = TombstoneMapping(path: path, value: value ?? .string(parts[1]))
      mapping.knownPaths.append(path)
    } catch {
      compilation.report(
        .invalidMapping, "groot.tombstone '\(text.shortened)' cannot be used: \(error.reason)",
        entity: model.entities[entity].name)
    }
    if mapping.identity.isEmpty {
      compilation.report(
        .invalidMapping, "a tombstone names an object by its identity, which the entity lacks",
        entity: model.entities[entity].name)
    }
  }
}
