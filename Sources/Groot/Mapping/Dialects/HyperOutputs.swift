/// What exports write by naming conventions.
struct HyperOutputs {
  private let mapping: EntityMapping
  private let keys: HyperKeys
  private let names: [HyperName]
  private let entity: String

  /// - Parameter names: The spellings of the hierarchy's properties, by number.
  init(_ mapping: EntityMapping, _ keys: HyperKeys, _ names: [HyperName], entity: String) {
    self.mapping = mapping
    self.keys = keys
    self.names = names
    self.entity = entity
  }

  /// The outputs of a variant; attributes that cannot both be written are faults.
  ///
  /// A relationship whose key an attribute's path goes through is left out: a warning says so.
  func outputs(_ variant: ExportVariant, _ faults: inout MappingFaults) -> [OutputMapping] {
    var outputs: [OutputMapping] = []
    var tree = PathTree()
    for (position, property) in mapping.properties.enumerated() {
      guard let output = output(position, property, variant) else { continue }
      let name = property.property.name
      guard let other = tree.conflict(with: output.path).map({ outputs[$0] }) else {
        tree.insert(output.path, outputs.count)
        outputs.append(output)
        continue
      }
      let otherName = mapping.properties[other.position].property.name
      let places =
        "'\(output.path.description.shortened)' and that of '\(otherName)', "
        + "'\(other.path.description.shortened)'"
      if property.property.field.isRelationship {
        faults.warn("its key \(places), cannot both be written: it is left out", entity, name)
      } else {
        faults.fault(
          .invalidMapping, "its key \(places), cannot both be written", entity, name)
      }
    }
    return outputs
  }

  private func output(
    _ position: Int, _ mapping: PropertyMapping, _ variant: ExportVariant
  ) -> OutputMapping? {
    let property = mapping.property
    if HyperAnnotations.isHidden(property) { return nil }
    if property.field.isRelationship {
      guard variant.relationships != .none else { return nil }
      return OutputMapping(
        position: position, path: relationshipPath(names[property.number], variant),
        isIndexed: property.field.isToMany && variant.relationships == .nested)
    }
    // A transformer's values are its own affair: they may be no JSON at all.
    if property.attribute?.type == .transformable && mapping.transformerName != nil { return nil }
    return OutputMapping(position: position, path: path(position, property, variant))
  }

  private func path(
    _ position: Int, _ property: Property, _ variant: ExportVariant
  ) -> JSONKeyPath {
    let spelling = names[property.number]
    if let path = spelling.remoteOutput { return path }
    let name = property.name
    if let key = keys.shortKey(position, name) { return JSONKeyPath(key: key) }
    if name == "destroy" {
      return JSONKeyPath(key: variant.relationships == .nested ? "_destroy" : "destroy")
    }
    return variant.inflection == .camel ? spelling.camel : spelling.snake
  }

  private func relationshipPath(_ name: HyperName, _ variant: ExportVariant) -> JSONKeyPath {
    let isCamel = variant.inflection == .camel
    let path = isCamel ? name.camel : name.snake
    guard variant.relationships == .nested, let key = path.segments.first else { return path }
    return JSONKeyPath(key: key + (isCamel ? "Attributes" : "_attributes"))
  }
}
