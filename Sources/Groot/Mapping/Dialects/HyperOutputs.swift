/// What exports write by naming conventions.
struct HyperOutputs {
  private let mapping: EntityMapping
  private let keys: HyperKeys
  private let entity: String

  init(_ mapping: EntityMapping, _ keys: HyperKeys, entity: String) {
    self.mapping = mapping
    self.keys = keys
    self.entity = entity
  }

  /// The outputs of a variant; attributes that cannot both be written are faults.
  ///
  /// A relationship whose key an attribute's path goes through is left out: a warning says so.
  func outputs(_ variant: ExportVariant, _ faults: inout MappingFaults) -> [OutputMapping] {
    var outputs: [OutputMapping] = []
    for (position, property) in mapping.properties.enumerated() {
      guard let output = output(position, property, variant) else { continue }
      let name = property.property.name
      guard let other = outputs.first(where: { $0.path.conflicts(with: output.path) }) else {
        outputs.append(output)
        continue
      }
      let otherName = mapping.properties[other.position].property.name
      let places = "'\(output.path)' and that of '\(otherName)', '\(other.path)'"
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
        position: position, path: JSONKeyPath(key: relationshipKey(property, variant)),
        isIndexed: property.field.isToMany && variant.relationships == .nested)
    }
    // A transformer's values are its own affair: they may be no JSON at all.
    if property.attribute?.type == .transformable && mapping.transformerName != nil { return nil }
    return OutputMapping(position: position, path: path(position, property, variant))
  }

  private func path(
    _ position: Int, _ property: Property, _ variant: ExportVariant
  ) -> JSONKeyPath {
    if let key = HyperAnnotations.remoteKey(property) {
      let path = JSONKeyPath(key)
      return path.isUsable ? path : JSONKeyPath(key: key)
    }
    let name = property.name
    if let key = keys.shortKey(position, name) { return JSONKeyPath(key: key) }
    if name == "destroy" {
      return JSONKeyPath(key: variant.relationships == .nested ? "_destroy" : "destroy")
    }
    return JSONKeyPath(key: variant.inflection == .camel ? name : Inflection.snake(name))
  }

  private func relationshipKey(_ property: Property, _ variant: ExportVariant) -> String {
    let isNested = variant.relationships == .nested
    if variant.inflection == .camel { return property.name + (isNested ? "Attributes" : "") }
    return Inflection.snake(property.name) + (isNested ? "_attributes" : "")
  }
}
