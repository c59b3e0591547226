// Attributes that are written into the object of a to-one.

extension PlanBuilder {
  /// A to-one whose object is written with attributes of the owner.
  struct Merge {
    /// The plan of the to-one's destination.
    let destination: PlanIndex
    let variant: Int
    let merged: [OutputMapping]
    /// The first step of the owner.
    let firstStep: Int
  }

  /// An attribute of the owner and an attribute of the object with the same key path.
  struct MergedPair {
    let owners: Int32
    let own: Int32
  }

  struct MergeKey: Hashable {
    let step: Int
    let variant: Int
  }

  /// The content of a merge; entities that inherit a merge share it.
  struct MergeContent: Hashable {
    let hierarchy: TableIndex
    let destination: PlanIndex
    let variant: Int
    /// The numbers of the attributes, and their paths in the object.
    let numbers: [Int]
    let paths: [[JSONKeyPath.Segment]]
  }

  /// Adds the merge of a to-one.
  mutating func addMerge(
    _ output: OutputMapping, variant: Int, mapping: EntityMapping, firstStep: Int
  ) {
    let destination = mapping.properties[output.position].destination
    let content = MergeContent(
      hierarchy: model.resolved[mapping.entity].hierarchy, destination: destination,
      variant: variant,
      numbers: output.merged.map { mapping.properties[$0.position].property.number },
      paths: output.merged.map(\.path.segments))
    let key = MergeKey(step: firstStep + output.position, variant: variant)
    if let same = mergeOfContent[content] {
      mergeOf[key] = same
      return
    }
    mergeOf[key] = merges.count
    mergeOfContent[content] = merges.count
    merges.append(
      Merge(
        destination: destination, variant: variant, merged: output.merged, firstStep: firstStep))
  }

  /// Adds the outputs of merges; all entities must be added before.
  ///
  /// If both write the same key path, their values must be equal. Objects are not merged if their
  /// entity reads another property from a path that an attribute is written to.
  ///
  /// - Throws: ``Status/limitExceeded``.
  mutating func addMerges(_ mappings: [EntityMapping]) throws {
    for merge in merges {
      let kinds = kinds(of: merge.destination)
      let start = mergedRanges.count
      mergeStarts.append(Int32(start) - Int32(entities[merge.destination].localIndex))
      mergedRanges += Array(repeating: -1, count: kinds.count)
      mergedPairs += Array(repeating: [], count: kinds.count)
      try checkSize()
      let owners = outputDrafts(
        merge.merged, variant: merge.variant, firstStep: merge.firstStep, areOwners: true)
      var tree = KeyConflicts()
      for (number, output) in merge.merged.enumerated() { tree.insert(output.path, number: number) }
      for (position, kind) in kinds.enumerated() {
        guard
          let pairs = pairs(
            merge, tree: tree, mapping: mappings[kind], firstStep: Int(entities[kind].firstStep))
        else {
          continue
        }
        mergedPairs[start + position] = pairs
        mergedRanges[start + position] = Int32(outputRanges.count)
        let written = mappings[kind].outputs[merge.variant]
        let identity = IdentityOutputs(
          mappings[kind], variant: written, isPositional: false,
          hasKinds: hasKinds(mappings[kind]), beside: merge.merged.map(\.path))
        func besideOwners(_ outputs: [OutputMapping]) -> [OutputDraft] {
          outputDrafts(
            outputs.filter { $0.isFlat || tree.conflict(with: $0.path) == nil },
            variant: merge.variant,
            firstStep: Int(entities[kind].firstStep))
        }
        var beside = identity
        beside.drafts = owners + besideOwners(identity.outputs)
        try addRange(owners + besideOwners(written), identity: beside, isPositional: false)
      }
    }
  }

  /// Returns the plans of the objects in a relationship to a plan, the plan first.
  func kinds(of plan: PlanIndex) -> [PlanIndex] {
    if entities[plan].isFixed { return [plan] }
    let resolved = model.resolved[entities[plan].entity]
    return resolved.subtree.map {
      PlanIndex(of: model.hierarchies[resolved.hierarchy].entities[Int($0)])
    }
  }

  /// Returns the pairs of steps that write the same key path; nil if something else is read or
  /// written at one of the key paths, or inside it.
  ///
  /// - Parameter tree: The key paths, by their positions in the merge.
  /// - Complexity: O(keys of all paths).
  private func pairs(
    _ merge: Merge, tree: KeyConflicts, mapping: EntityMapping, firstStep: Int
  ) -> [MergedPair]? {
    var pairs: [MergedPair] = []
    var same: [Int: Int] = [:]
    for output in mapping.outputs[merge.variant] where !output.isFlat {
      guard let number = tree.conflict(with: output.path) else { continue }
      let attribute = merge.merged[number]
      guard output.path == attribute.path,
        !mapping.properties[output.position].property.field.isRelationship
      else { return nil }
      same[number] = output.position
      pairs.append(
        MergedPair(
          owners: Int32(merge.firstStep + attribute.position),
          own: Int32(firstStep + output.position)))
    }
    for (number, attribute) in merge.merged.enumerated() {
      let spelled = attribute.path.firstKey.flatMap { mapping.spelling?($0.text) }
      if let spelled, spelled != same[number] { return nil }
    }
    for (position, property) in mapping.properties.enumerated() {
      for input in property.inputs {
        guard let number = tree.conflict(with: input) else { continue }
        // A value on the way to one of the key paths may be on the way to others.
        let isOnTheWay = input.segments.count < merge.merged[number].path.segments.count
        if isOnTheWay || same[number] != position { return nil }
      }
    }
    return pairs
  }
}
