/// The output of an object as its identity, by which an import finds the object again.
struct IdentityOutputs {
  let outputs: [OutputMapping]
  /// Whether the outputs include the whole identity, and an import of them would not clear any
  /// value.
  let isComplete: Bool
  /// Whether the identity also needs the key in a keyed collection, and the position in a list.
  let needsKey: Bool
  let needsIndex: Bool
  /// The outputs as they are added to a plan.
  var drafts: [PlanBuilder.OutputDraft] = []

  /// Makes empty outputs, for objects without identity.
  init() {
    outputs = []
    (isComplete, needsKey, needsIndex) = (false, false, false)
  }

  /// Makes the outputs; `beside` has the paths of other outputs in the same object.
  ///
  /// If objects of several entities share the identity, it is written alone. With other values, an
  /// import would read it as a record, which chooses the entity of its object.
  init(
    _ mapping: EntityMapping, variant: [OutputMapping], isPositional: Bool, hasKinds: Bool,
    beside: [JSONKeyPath] = []
  ) {
    let properties = mapping.properties
    func number(_ output: OutputMapping) -> Int { properties[output.position].property.number }
    let numbers = Set(mapping.identity)
    func isIdentity(_ output: OutputMapping) -> Bool {
      output.constant != nil || output.position >= 0 && numbers.contains(number(output))
    }
    let besideKeys = Self.sharedKeys(of: beside, mapping)
    let variant = variant.map { output in
      guard hasKinds, mapping.clearsMissingLeaves, isIdentity(output),
        output.path.segments.count > 1,
        output.path.firstKey.map(besideKeys.contains) == false
      else { return output }
      return output.flat(key: output.path.description)
    }
    let identity = variant.filter { $0.position >= 0 && numbers.contains(number($0)) }
    // A missing key would count as null if its object has another value.
    let shared = Self.sharedKeys(of: identity.map(\.path), mapping).union(besideKeys)
    outputs = variant.filter { output in
      isIdentity(output)
        || output.position >= 0 && !properties[output.position].property.field.isRelationship
          && output.path.segments.count > 1
          && output.path.firstKey.map(shared.contains) == true
    }
    let known = Set(
      properties.lazy.map(\.property).filter {
        numbers.contains($0.number) && !$0.field.isRelationship
      }.map(\.number))
    func places(_ origin: JSONKeyPath.Origin) -> Set<Int> {
      Set(
        properties.filter { $0.inputs.first?.origin == origin }.map(\.property.number)
          .filter { number in
            known.contains(number)
              && !identity.contains { output in
                properties[output.position].property.number == number
              }
          })
    }
    let (keys, indexes) = (places(.key), places(.index))
    (needsKey, needsIndex) = (!keys.isEmpty, !indexes.isEmpty)
    let attributes = mapping.identity.filter {
      known.contains($0) && !keys.contains($0) && !indexes.contains($0)
    }
    let partCounts = Dictionary(grouping: identity, by: \.position).mapValues(\.count)
    let positions = Set(identity.compactMap(\.path.firstPosition))
    isComplete =
      attributes.allSatisfy { wanted in
        identity.contains {
          number($0) == wanted && Self.isWhole($0, partCounts: partCounts, properties: properties)
        }
      }
      // An import would read a gap before them as null.
      && (!isPositional || positions == Set(0..<positions.count))
  }

  /// Returns the keys of objects in which a missing key counts as null beside another value.
  private static func sharedKeys(of paths: [JSONKeyPath], _ mapping: EntityMapping) -> Set<Name> {
    guard mapping.clearsMissingLeaves else { return [] }
    return Set(paths.filter { $0.segments.count > 1 }.compactMap(\.firstKey))
  }

  /// Returns whether an output and its other parts write every path that the property is read from.
  private static func isWhole(
    _ output: OutputMapping, partCounts: [Int: Int], properties: [PropertyMapping]
  ) -> Bool {
    let property = properties[output.position]
    if property.inputs.isEmpty { return false }
    guard output.part != nil else { return true }
    return partCounts[output.position] == property.inputs.count
  }
}
