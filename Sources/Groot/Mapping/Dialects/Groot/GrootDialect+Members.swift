// The output of values at `@parent` paths: to the place they were read from, if nothing else is
// written there.

extension GrootDialect {
  /// Adds outputs for the `@parent` values of members to the mappings of their owners.
  mutating func addMemberValues(
    to mappings: inout [EntityMapping], compilation: inout MappingCompilation
  ) {
    let isUsed = mappings.contains { mapping in
      mapping.properties.contains { $0.inputs.contains { $0.origin == .parent } }
    }
    guard isUsed else { return }
    for position in mappings.indices {
      addKnownPaths(to: &mappings[position], mappings: mappings)
      for variant in mappings[position].outputs.indices {
        addMemberValues(to: &mappings[position], variant: variant, mappings: mappings)
      }
    }
  }

  /// Adds the paths that members read in their owner's JSON to the known paths of the owner.
  private func addKnownPaths(to mapping: inout EntityMapping, mappings: [EntityMapping]) {
    var known: Set<JSONKeyPath> = []
    for relationship in mapping.properties where !relationship.destination.isNone {
      for kind in model.kinds(of: mappings[relationship.destination].entity) {
        let read = mappings[PlanIndex(of: kind)].properties.flatMap(\.inputs)
          .filter { $0.origin == .parent }
        for path in relationship.inputs where path.origin == .object {
          known.formUnion(read.map(path.around.appending))
        }
      }
    }
    mapping.knownPaths += known.filter { !$0.segments.isEmpty }
  }

  private func addMemberValues(
    to mapping: inout EntityMapping, variant: Int, mappings: [EntityMapping]
  ) {
    var tree = KeyConflicts()
    for (number, output) in mapping.outputs[variant].enumerated() {
      tree.insert(output.path, number: number)
    }
    let links = linkPaths(around: mapping, variant: variant, mappings: mappings)
    var added: [JSONKeyPath: Int] = [:]
    for output in mapping.outputs[variant] where output.position >= 0 {
      let relationship = mapping.properties[output.position]
      // An identifier, or a partial object, does not come with its own surroundings.
      if relationship.writesIdentifiers || !relationship.exportProperties.isEmpty { continue }
      let destination = relationship.destination
      guard mappings.indices.contains(destination.offset) else { continue }
      let around = output.path.around
      // Each element of a list is written with its own values.
      if around.hasElements { continue }
      for property in mappings[destination].properties
      where property.property.userInfo["groot.direction"] != "import" {
        guard property.property.attribute != nil, let input = property.inputs.first,
          input.origin == .parent, !input.hasElements
        else { continue }
        let path = around.appending(input)
        // An object has no positions, and an array no keys.
        if path.beginsAtPosition != mapping.isPositional { continue }
        // An import would take a part of a linked object for the whole object.
        if links.contains(where: { $0.overlaps(path) }) { continue }
        let value = MemberValue(relationship: output.position, number: property.property.number)
        if let known = added[path] {
          mapping.outputs[variant][known].members.append(value)
        } else if tree.conflict(with: path) == nil {
          added[path] = mapping.outputs[variant].count
          tree.insert(path, number: mapping.outputs[variant].count)
          var member = OutputMapping(position: -1, path: path)
          member.members = [value]
          mapping.outputs[variant].append(member)
        }
      }
    }
  }

  /// Returns the paths in an object's JSON at which its members read linked objects; nothing is
  /// written there.
  private func linkPaths(
    around mapping: EntityMapping, variant: Int, mappings: [EntityMapping]
  ) -> [JSONKeyPath] {
    mapping.outputs[variant].flatMap { output -> [JSONKeyPath] in
      guard output.position >= 0 else { return [] }
      let destination = mapping.properties[output.position].destination
      guard mappings.indices.contains(destination.offset) else { return [] }
      return mappings[destination].properties.filter { $0.property.relationship != nil }
        .flatMap(\.inputs).filter { $0.origin == .parent }.map(output.path.around.appending)
    }
  }
}
