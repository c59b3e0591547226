// The annotations of properties.

extension GrootDialect {
  func compile(
    _ property: Property, compilation: inout MappingCompilation
  ) -> PropertyMapping? {
    let entity = model.entities[property.entity].name
    guard let text = keyPath(property) else { return nil }
    let texts = [text] + (property.userInfo["groot.alternatives"]?.listedNames ?? [])
    var mapping = PropertyMapping(property: property, inputs: [])
    for text in texts {
      guard let path = path(text, of: property, compilation: &compilation) else { return nil }
      mapping.inputs.append(path)
    }
    if mapping.inputs[0].origin == .rest { mapping.options.insert(.isRest) }
    checkDirection(&mapping, entity: entity, compilation: &compilation)
    compilation.choosePolicies(of: &mapping, entity)
    compilation.setDateForms(of: &mapping, isRead: !mapping.inputs.isEmpty, entity: entity)
    switch chosen("groot.exportNull", of: property, ["write", "omit"], &compilation) {
    case "omit": mapping.options.insert([.omitsNull, .choosesNull])
    case "write": mapping.options.insert(.choosesNull)
    default: break
    }
    if property.relationship != nil {
      compileRelationship(&mapping, compilation: &compilation)
    } else if let name = property.userInfo["JSONTransformerName"] {
      compilation.setTransformer(name, of: &mapping, entity: entity)
    }
    return mapping
  }

  private func compileRelationship(
    _ mapping: inout PropertyMapping, compilation: inout MappingCompilation
  ) {
    let property = mapping.property
    mapping.options.insert(.skipsWayBack)
    let destination = property.relationship?.destination ?? ""
    mapping.destination = (try? model.index(of: destination)).map(PlanIndex.init(of:)) ?? .none
    let style = chosen("groot.export", of: property, ["object", "identifier"], &compilation)
    mapping.writesIdentifiers =
      style == "identifier" || mapping.inputs.first?.origin == .value
    mapping.exportProperties = exportProperties(property, of: destination, &compilation)
    let forms = CollectionForm.allCases.map { "\($0)" }
    guard let form = chosen("groot.form", of: property, forms, &compilation) else { return }
    mapping.form = CollectionForm.allCases.first { "\($0)" == form } ?? .array
  }

  /// Returns the numbers of the destination's properties that `groot.exportProperties` lists.
  private func exportProperties(
    _ property: Property, of destination: String, _ compilation: inout MappingCompilation
  ) -> Set<Int> {
    guard let names = property.userInfo["groot.exportProperties"]?.listedNames,
      let index = try? model.index(of: destination)
    else { return [] }
    let resolved = model.resolved[index]
    var numbers: Set<Int> = []
    for name in names {
      if let number = resolved.numberByName[name] {
        numbers.insert(number)
      } else {
        compilation.report(
          .invalidMapping,
          "groot.exportProperties names '\(name.shortened)', which is not a property of "
            + "'\(destination)'", entity: model.entities[property.entity].name,
          property: property.name)
      }
    }
    return numbers
  }

  /// Returns the value of an annotation with a fixed list of values; nil if it is missing or
  /// invalid.
  func chosen(
    _ name: String, of property: Property, _ values: [String],
    _ compilation: inout MappingCompilation
  ) -> String? {
    guard let value = property.userInfo[name] else { return nil }
    if values.contains(value) { return value }
    compilation.report(
      .invalidMapping, "\(name) is \(listed(values)), not '\(value.shortened)'",
      entity: model.entities[property.entity].name, property: property.name)
    return nil
  }

  private func checkDirection(
    _ mapping: inout PropertyMapping, entity: String, compilation: inout MappingCompilation
  ) {
    switch mapping.property.userInfo["groot.direction"] {
    case nil, "both", "import": break
    case "export": mapping.inputs = []
    case let other?:
      compilation.report(
        .invalidMapping,
        "groot.direction is 'both', 'import' or 'export', not '\(other.shortened)'", entity: entity,
        property: mapping.property.name)
    }
  }

  // MARK: Paths

  /// Reads a key path and checks that it fits the property; returns nil if it does not.
  private func path(
    _ text: String, of property: Property, compilation: inout MappingCompilation
  ) -> JSONKeyPath? {
    do throws(JSONKeyPath.SyntaxError) {
      let path = try JSONKeyPath.parsing(text)
      try check(path, of: property)
      return path
    } catch {
      compilation.report(
        .invalidMapping, "the JSONKeyPath '\(text.shortened)' cannot be used: \(error.reason)",
        entity: model.entities[property.entity].name, property: property.name)
      return nil
    }
  }

  private func check(
    _ path: JSONKeyPath, of property: Property
  ) throws(JSONKeyPath.SyntaxError) {
    func fail(_ reason: String) throws(JSONKeyPath.SyntaxError) {
      throw JSONKeyPath.SyntaxError(reason: reason)
    }
    let type = property.attribute?.type
    if !path.isUsable {
      try fail(
        "it has an empty key, or more than \(JSONKeyPath.maximumLength) keys or "
          + "\(JSONKeyPath.maximumSize) bytes")
    }
    switch path.origin {
    case .index:
      if type?.isInteger != true { try fail("a position is a whole number") }
    case .value where property.relationship?.isToMany == false: break
    case .key, .value:
      if type == nil { try fail("it leads to a single value, not to objects") }
    case .rest:
      if type != .transformable || property.userInfo["JSONTransformerName"] != nil {
        try fail("a transformable attribute without a transformer takes unmapped keys")
      }
    case .object, .parent, .root: break
    }
    guard path.hasElements else { return }
    if path.segments.first == .elements { try fail("a path cannot begin with '[]'") }
    if property.field.isToMany {
      if path.segments.count(where: { $0 == .elements }) > 1 {
        try fail("the members of a relationship are in one list, so '[]' comes once")
      }
    } else if type != .transformable && property.userInfo["JSONTransformerName"] == nil {
      try fail("'[]' gives a list, which a to-many relationship or a transformable attribute takes")
    }
    if property.userInfo["groot.direction"] != "import", !path.isWritable {
      try fail(
        "it can be read but not written; use groot.direction 'import'")
    }
  }

  /// Returns the text of a property's key path; nil without one.
  func keyPath(_ property: Property) -> String? {
    if property.name.isEmpty { return nil }
    let isImplicit =
      isImplicit || model.entities[property.entity].userInfo["groot.implicit"] == "true"
    return property.userInfo["JSONKeyPath"]
      ?? (isImplicit ? JSONKeyPath.text(property.name) : nil)
  }

  // MARK: Outputs

  /// Returns the path of a property in exports: its key path, unless it is for imports only.
  ///
  /// Outside a collection, a property at `@key` or `@value` is written at an alternative, if it has
  /// one.
  func writtenPath(_ property: Property) -> JSONKeyPath? {
    guard property.userInfo["groot.direction"] != "import", let text = keyPath(property),
      let path = try? JSONKeyPath.parsing(text), path.isUsable
    else { return nil }
    switch path.origin {
    case .object: return path
    case .key, .value:
      return property.userInfo["groot.alternatives"]?.listedNames.lazy
        .compactMap { try? JSONKeyPath.parsing($0) }.first { $0.origin == .object }
    case .index, .rest, .parent, .root: return nil
    }
  }

  func outputs(_ mapping: EntityMapping, hierarchy: TableIndex) -> [OutputMapping] {
    var outputs = mapping.properties.enumerated().compactMap { position, property in
      written[hierarchy][property.property.number].map { path in
        var output = OutputMapping(position: position, path: path)
        output.isKey = property.inputs.first?.origin == .key
        return output
      }
    }
    // A property at the same path writes the value instead of the entity.
    if let path = mapping.discriminator?.path, path.origin == .object,
      let value = mapping.discriminatorValue, !outputs.contains(where: { $0.path == path })
    {
      outputs.insert(
        OutputMapping(position: -1, path: path, constant: JSONValue.string(value).description),
        at: 0)
    }
    return outputs
  }

  /// Reports properties that write the same key path, or one inside the value of another.
  func checkOutputs(
    _ mapping: EntityMapping, outputs: [OutputMapping], entity: String,
    compilation: inout MappingCompilation
  ) {
    func name(_ output: OutputMapping) -> String {
      output.position < 0
        ? "groot.discriminator" : mapping.properties[output.position].property.name
    }
    var tree = KeyConflicts()
    for (index, output) in outputs.enumerated() {
      guard let earlier = tree.conflict(with: output.path).map({ outputs[$0] }) else {
        tree.insert(output.path, number: index)
        continue
      }
      compilation.report(
        .invalidMapping,
        "its JSONKeyPath '\(output.path.description.shortened)' and that of '\(name(earlier))', "
          + "'\(earlier.path.description.shortened)', cannot both be written",
        entity: entity, property: output.position < 0 ? "" : name(output))
    }
  }
}
