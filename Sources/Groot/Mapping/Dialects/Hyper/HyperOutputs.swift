/// The outputs of exports by naming conventions.
struct HyperOutputs {
  private let mapping: EntityMapping
  private let keys: HyperKeys
  private let names: [HyperName]
  private let entity: String
  /// The paths that the relationships are read from.
  private let relationships: KeyConflicts

  /// - Parameter names: The spellings of the hierarchy's properties, by number.
  init(_ mapping: EntityMapping, keys: HyperKeys, names: [HyperName], entity: String) {
    self.mapping = mapping
    self.keys = keys
    self.names = names
    self.entity = entity
    var tree = KeyConflicts()
    for (position, property) in mapping.properties.enumerated()
    where property.property.field.isRelationship {
      for input in property.inputs { tree.insert(input, number: position) }
    }
    relationships = tree
  }

  /// Returns the outputs of a variant; reports attributes that cannot both be written.
  ///
  /// An attribute whose path goes through the key of a to-one is written into the object of the
  /// to-one. If that object is not written, the path is written as one key: otherwise an import
  /// would take the attribute for the object. A relationship with the same key as an attribute is
  /// omitted, with a warning.
  func outputs(_ variant: ExportVariant, compilation: inout MappingCompilation) -> [OutputMapping] {
    var outputs: [OutputMapping] = []
    var attributes = KeyConflicts()
    var single: [Name: Int] = [:]
    for (position, property) in mapping.properties.enumerated() {
      guard let output = output(position, mapping: property, variant: variant) else { continue }
      let isRelationship = property.property.field.isRelationship
      let other =
        isRelationship
        ? output.path.firstKey.flatMap { single[$0] } : attributes.conflict(with: output.path)
      if let other {
        note(output, other: outputs[other], compilation: &compilation)
        continue
      }
      if !isRelationship { attributes.insert(output.path, number: outputs.count) }
      if output.path.segments.count == 1, let key = output.path.firstKey {
        single[key] = outputs.count
      }
      outputs.append(output)
    }
    return merge(outputs, single: single, compilation: &compilation)
  }

  private func note(
    _ output: OutputMapping, other: OutputMapping, compilation: inout MappingCompilation
  ) {
    let property = mapping.properties[output.position].property
    let otherName = mapping.properties[other.position].property.name
    let paths =
      "'\(output.path.description.shortened)' and that of '\(otherName)', "
      + "'\(other.path.description.shortened)'"
    if property.field.isRelationship {
      compilation.warn(
        "its key \(paths), cannot both be written: it is left out", entity: entity,
        property: property.name)
    } else {
      compilation.report(
        .invalidMapping, "its key \(paths), cannot both be written", entity: entity,
        property: property.name)
    }
  }

  /// Moves attributes into the objects of to-ones, or gives them flat keys.
  ///
  /// - Parameter single: The outputs whose path is one key, by that key; they include every
  ///   relationship.
  private func merge(
    _ outputs: [OutputMapping], single: [Name: Int], compilation: inout MappingCompilation
  ) -> [OutputMapping] {
    var merged: [Int: [OutputMapping]] = [:]
    var result: [OutputMapping] = []
    func addFlat(_ output: OutputMapping) {
      let flat = flat(output)
      guard let other = flat.path.firstKey.flatMap({ single[$0] }) else {
        return result.append(flat)
      }
      note(flat, other: outputs[other], compilation: &compilation)
    }
    for output in outputs {
      if mapping.properties[output.position].property.field.isRelationship {
        let attributes = merged[output.position] ?? []
        var target = output
        target.merged = attributes.map {
          OutputMapping(position: $0.position, path: $0.path.withoutFirst)
        }
        result.append(target)
        attributes.forEach(addFlat)
        continue
      }
      let relationship =
        output.path.segments.count > 1
        ? output.path.firstKey.flatMap { single[$0] }.map { outputs[$0] } : nil
      if let relationship {
        let isToMany = mapping.properties[relationship.position].property.field.isToMany
        if isToMany || output.path.segments[1].key == nil {
          addFlat(output)
        } else {
          merged[relationship.position, default: []].append(output)
        }
      } else if relationships.leads(to: output.path) {
        addFlat(output)
      } else {
        result.append(output)
      }
    }
    return result
  }

  private func flat(_ output: OutputMapping) -> OutputMapping {
    let property = mapping.properties[output.position].property
    let key = names[property.number].remoteKey ?? output.path.description
    return output.flat(key: key)
  }

  private func output(
    _ position: Int, mapping: PropertyMapping, variant: ExportVariant
  ) -> OutputMapping? {
    let property = mapping.property
    if HyperAnnotations.isHidden(property) { return nil }
    if property.field.isRelationship {
      guard variant.relationships != .none else { return nil }
      return OutputMapping(
        position: position, path: relationshipPath(names[property.number], variant: variant),
        isIndexed: property.field.isToMany && variant.relationships == .nested)
    }
    // The values of a transformer need not be JSON.
    if property.attribute?.type == .transformable && mapping.transformerName != nil { return nil }
    return OutputMapping(
      position: position, path: path(position, property: property, variant: variant))
  }

  private func path(
    _ position: Int, property: Property, variant: ExportVariant
  ) -> JSONKeyPath {
    let spelling = names[property.number]
    if let path = spelling.remoteOutput { return path }
    let name = property.name
    if let key = keys.shortKey(position, name: name) { return JSONKeyPath(key: key) }
    if name == "destroy" {
      return JSONKeyPath(key: variant.relationships == .nested ? "_destroy" : "destroy")
    }
    return variant.inflection == .camel ? spelling.camel : spelling.snake
  }

  private func relationshipPath(_ name: HyperName, variant: ExportVariant) -> JSONKeyPath {
    let isCamel = variant.inflection == .camel
    let path = isCamel ? name.camel : name.snake
    guard variant.relationships == .nested, let key = path.firstKey?.text else { return path }
    return JSONKeyPath(key: key + (isCamel ? "Attributes" : "_attributes"))
  }
}
