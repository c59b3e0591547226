// References in two keys: an identifier, and a discriminator that chooses the entity of its object.

extension GrootDialect {
  /// Makes to-ones with `groot.discriminator` read and write the discriminator of their identifier.
  func giveKinds(to mappings: inout [EntityMapping], compilation: inout MappingCompilation) {
    for number in mappings.indices {
      for position in mappings[number].properties.indices {
        let property = mappings[number].properties[position].property
        guard property.relationship?.isToMany == false,
          let text = property.userInfo["groot.discriminator"]
        else { continue }
        let destination = mappings[number].properties[position].destination
        do throws(JSONKeyPath.SyntaxError) {
          let path = try JSONKeyPath.parsing(text)
          guard path.isUsable, !path.hasElements, path.origin == .object else {
            throw JSONKeyPath.SyntaxError(reason: "it does not lead to one text of the record")
          }
          guard mappings.indices.contains(destination.offset),
            mappings[destination].discriminator != nil
          else {
            throw JSONKeyPath.SyntaxError(
              reason: "the destination has no groot.discriminator, which would have the values")
          }
          give(path, to: position, of: &mappings[number])
        } catch {
          compilation.report(
            .invalidMapping,
            "groot.discriminator '\(text.shortened)' cannot be used: \(error.reason)",
            entity: model.entities[property.entity].name, property: property.name)
        }
      }
    }
  }

  private func give(_ path: JSONKeyPath, to position: Int, of mapping: inout EntityMapping) {
    mapping.properties[position].kindPath = path
    mapping.properties[position].writesIdentifiers = true
    mapping.knownPaths.append(path)
    for variant in mapping.outputs.indices {
      let outputs = mapping.outputs[variant]
      guard outputs.contains(where: { $0.position == position }) else { continue }
      var tree = KeyConflicts()
      for (number, output) in outputs.enumerated() { tree.insert(output.path, number: number) }
      // An attribute at the same path writes the value.
      guard tree.conflict(with: path) == nil else { continue }
      var output = OutputMapping(position: position, path: path)
      output.isKind = true
      mapping.outputs[variant].append(output)
    }
  }
}
