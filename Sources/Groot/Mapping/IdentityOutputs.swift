/// What is written of an object that is not written in full, so that an import finds it again.
struct IdentityOutputs {
  let outputs: [OutputMapping]
  /// Whether all attributes of the identity are among them, and nothing that an import would clear.
  let isComplete: Bool

  /// `beside` are paths that something else is written to in the same object.
  init(
    _ mapping: EntityMapping, variant: [OutputMapping], isPositional: Bool,
    beside: [JSONKeyPath] = []
  ) {
    let properties = mapping.properties
    func number(_ output: OutputMapping) -> Int { properties[output.position].property.number }
    let numbers = Set(mapping.identity)
    let identity = variant.filter { numbers.contains(number($0)) }
    // What is missing beside a value, in one object with it, would count as null.
    let paths = mapping.clearsMissingLeaves ? identity.map(\.path) + beside : []
    let shared = Set(paths.filter { $0.segments.count > 1 }.map { Name($0.segments[0]) })
    outputs = variant.filter { output in
      numbers.contains(number(output))
        || !properties[output.position].property.field.isRelationship
          && output.path.segments.count > 1 && shared.contains(Name(output.path.segments[0]))
    }
    let known = Set(
      properties.lazy.map(\.property).filter {
        numbers.contains($0.number) && !$0.field.isRelationship
      }.map(\.number))
    let attributes = mapping.identity.filter(known.contains)
    let partCounts = Dictionary(grouping: identity, by: \.position).mapValues(\.count)
    let positions = Set(identity.compactMap { JSONKeyPath.position($0.path.segments[0]) })
    isComplete =
      attributes.allSatisfy { wanted in
        identity.contains {
          number($0) == wanted && Self.isWhole($0, partCounts: partCounts, properties: properties)
        }
      }
      // A gap before them would be null to an import.
      && (!isPositional || positions == Set(0..<positions.count))
  }

  /// Whether an output, with its other parts, writes all that the property is read from.
  private static func isWhole(
    _ output: OutputMapping, partCounts: [Int: Int], properties: [PropertyMapping]
  ) -> Bool {
    let property = properties[output.position]
    if property.inputs.isEmpty { return false }
    guard output.part != nil else { return true }
    return partCounts[output.position] == property.inputs.count
  }
}
