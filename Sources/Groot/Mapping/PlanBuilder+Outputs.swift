// What a plan writes.

extension PlanBuilder {
  /// An output, and the part of its path that is not written yet.
  struct OutputDraft {
    var segments: ArraySlice<String>
    let output: OutputMapping
    let step: Int
    /// Which of ``merges`` it is, or -1.
    let merge: Int
    /// Whether it is a value of the object that led here.
    let isOwners: Bool
  }

  /// Adds what one variant writes.
  mutating func add(_ variant: Int, mapping: EntityMapping, firstStep: Int) throws {
    let written = mapping.outputs[variant]
    for output in written where !output.merged.isEmpty {
      addMerge(output, variant: variant, mapping: mapping, firstStep: firstStep)
    }
    let keys = written.map { JSONKeyPath.position($0.path.segments.first ?? "") }
    let isPositional = mapping.isPositional && !keys.isEmpty && !keys.contains(nil)
    let identity = IdentityOutputs(mapping, variant: written, isPositional: isPositional)
    try addRange(
      outputDrafts(written, variant: variant, firstStep: firstStep),
      identity: outputDrafts(identity.outputs, variant: variant, firstStep: firstStep),
      isPositional: isPositional, hasWholeIdentity: identity.isComplete)
  }

  func outputDrafts(
    _ written: [OutputMapping], variant: Int, firstStep: Int, areOwners: Bool = false
  ) -> [OutputDraft] {
    written.map { output in
      let step = firstStep + output.position
      let merge = output.merged.isEmpty ? nil : mergeOf[MergeKey(step: step, variant: variant)]
      return OutputDraft(
        segments: output.path.segments[...], output: output, step: step, merge: merge ?? -1,
        isOwners: areOwners)
    }
  }

  /// Adds the writing of an object in full, and as its identity.
  mutating func addRange(
    _ written: [OutputDraft], identity: [OutputDraft], isPositional: Bool, hasWholeIdentity: Bool
  ) throws {
    let first = outputs.count
    addOutputs(written, isPositional: isPositional)
    let firstOfIdentity = outputs.count
    addOutputs(identity, isPositional: isPositional)
    outputRanges.append(
      OutputRange(
        first: Int32(first), count: Int32(firstOfIdentity - first), isPositional: isPositional,
        firstOfIdentity: Int32(firstOfIdentity),
        identityCount: Int32(outputs.count - firstOfIdentity), hasWholeIdentity: hasWholeIdentity))
    try checkSize()
  }

  /// Adds the writing of an object, or of an array where keys are positions.
  private mutating func addOutputs(_ drafts: [OutputDraft], isPositional: Bool) {
    guard isPositional else { return addOutputs(drafts) }
    let keys = drafts.map { JSONKeyPath.position($0.segments.first ?? "") }
    let byPosition = Dictionary(grouping: zip(keys, drafts)) { $0.0 ?? 0 }
    for position in 0..<(keys.compactMap { $0 }.max() ?? -1) + 1 {
      let here = byPosition[position] ?? []
      if here.isEmpty { outputs.append(Output(kind: .gap)) }
      addOutputs(here.map(\.1), hasKeys: false)
    }
  }

  /// Adds the writing of properties; those that share a beginning share an object, which is
  /// where the first of them does.
  ///
  /// Recursion is bounded by the paths' length.
  private mutating func addOutputs(_ drafts: [OutputDraft], hasKeys: Bool = true) {
    var order: [Name] = []
    var groups: [Name: [OutputDraft]] = [:]
    for draft in drafts {
      guard let key = draft.segments.first.map(Name.init) else { continue }
      if groups[key] == nil { order.append(key) }
      var inner = draft
      inner.segments = draft.segments.dropFirst()
      groups[key, default: []].append(inner)
    }
    for key in order {
      guard let group = groups[key], let first = group.first else { continue }
      let (offset, length) = hasKeys ? add(key: key) : (0, 0)
      if first.segments.isEmpty {
        let output = first.output
        outputs.append(
          Output(
            kind: first.isOwners ? .ownersValue : .value, isIndexed: output.isIndexed,
            isFlat: output.isFlat, part: Int16(clamping: output.part ?? -1),
            step: Int32(first.step), merge: Int32(first.merge),
            mergedCount: Int32(output.merged.count), keyOffset: offset, keyLength: length))
      } else {
        outputs.append(Output(kind: .open, keyOffset: offset, keyLength: length))
        addOutputs(group)
        outputs.append(Output(kind: .close, keyOffset: offset, keyLength: 0))
      }
    }
  }

  private mutating func add(key: Name) -> (offset: Int, length: Int) {
    if let offset = offsetOfOutput[key] { return offset }
    let offset = bytes.count
    bytes.append(contentsOf: JSONValue.string(key.text).description.utf8)
    bytes.append(UInt8(ascii: ":"))
    offsetOfOutput[key] = (offset, bytes.count - offset)
    return (offset, bytes.count - offset)
  }
}
