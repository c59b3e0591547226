// The outputs of a plan.

extension PlanBuilder {
  /// An output, and the rest of its path that is not written yet.
  struct OutputDraft {
    var segments: ArraySlice<JSONKeyPath.Segment>
    let output: OutputMapping
    let step: Int
    /// The first step of the entity.
    let firstStep: Int32
    /// Its position in ``merges``, or -1.
    let merge: Int
    /// Whether it is a value of the owner.
    let isOwners: Bool
  }

  /// Adds the outputs of one variant.
  mutating func add(_ variant: Int, mapping: EntityMapping, firstStep: Int) throws {
    let written = mapping.outputs[variant]
    for output in written where !output.merged.isEmpty {
      addMerge(output, variant: variant, mapping: mapping, firstStep: firstStep)
    }
    let isPositional = isPositional(written, of: mapping)
    var identity = IdentityOutputs(
      mapping, variant: written, isPositional: isPositional, hasKinds: hasKinds(mapping))
    identity.drafts = outputDrafts(identity.outputs, variant: variant, firstStep: firstStep)
    restStep = stepOfRest(mapping, firstStep)
    defer { restStep = -1 }
    try addRange(
      outputDrafts(written, variant: variant, firstStep: firstStep), identity: identity,
      isPositional: isPositional)
  }

  /// Returns whether objects of several entities can share an identity of the mapping.
  func hasKinds(_ mapping: EntityMapping) -> Bool {
    let hierarchy = model.resolved[mapping.entity].hierarchy
    return !mapping.isFixed && model.hierarchies[hierarchy].entities.count > 1
  }

  /// Returns whether outputs are written as an array.
  func isPositional(_ written: [OutputMapping], of mapping: EntityMapping) -> Bool {
    mapping.isPositional && !written.isEmpty
      && written.allSatisfy { $0.path.firstPosition != nil }
  }

  func outputDrafts(
    _ written: [OutputMapping], variant: Int, firstStep: Int, areOwners: Bool = false
  ) -> [OutputDraft] {
    written.map { output in
      let step = output.position < 0 ? -1 : firstStep + output.position
      let merge = output.merged.isEmpty ? nil : mergeOf[MergeKey(step: step, variant: variant)]
      return OutputDraft(
        segments: output.path.segments[...], output: output, step: step,
        firstStep: Int32(firstStep), merge: merge ?? -1,
        isOwners: areOwners)
    }
  }

  /// Adds the outputs of a full object, and of its identity.
  mutating func addRange(
    _ written: [OutputDraft], identity: IdentityOutputs, isPositional: Bool
  ) throws {
    let first = outputs.count
    addOutputs(written, isPositional: isPositional)
    let firstOfIdentity = outputs.count
    restStep = -1
    addOutputs(identity.drafts, isPositional: isPositional)
    outputRanges.append(
      OutputRange(
        first: Int32(first), count: Int32(firstOfIdentity - first), isPositional: isPositional,
        firstOfIdentity: Int32(firstOfIdentity),
        identityCount: Int32(outputs.count - firstOfIdentity),
        hasWholeIdentity: identity.isComplete, needsKey: identity.needsKey,
        needsIndex: identity.needsIndex))
    try checkSize()
  }

  /// Adds the outputs of an object, or of an array if keys are positions.
  private mutating func addOutputs(_ drafts: [OutputDraft], isPositional: Bool) {
    if isPositional { addElements(drafts) } else { addOutputs(drafts) }
  }

  /// Adds the outputs of an array's elements.
  private mutating func addElements(_ drafts: [OutputDraft]) {
    let byPosition = Dictionary(grouping: drafts) {
      JSONKeyPath(Array($0.segments.prefix(1))).firstPosition ?? 0
    }
    let count = Self.elementCount(drafts)
    for position in 0..<count {
      // A larger mapping is rejected later.
      if outputs.count > Self.maximumSize { return }
      let here = byPosition[position] ?? []
      if here.isEmpty {
        outputs.append(rest(.restElement, position: position) ?? Output(kind: .gap))
      }
      addOutputs(here, hasKeys: false)
    }
    if let tail = rest(.restTail, position: count) {
      outputs.append(tail)
    }
  }

  /// Returns the number of elements up to the last position with an output.
  private static func elementCount(_ drafts: [OutputDraft]) -> Int {
    let positions = drafts.lazy.map { JSONKeyPath(Array($0.segments.prefix(1))).firstPosition ?? 0 }
    return (positions.max() ?? -1) + 1
  }

  /// Returns the output of unmapped keys in a part of the entity's JSON; nil if the entity does not
  /// keep them.
  private mutating func rest(
    _ kind: OutputOperation.Kind, position: Int = -1, named: Set<Name> = []
  ) -> Output? {
    guard restStep >= 0 else { return nil }
    restLevels.append(RestLevel(path: RestPath(restPath), named: WrittenKeys(named)))
    return Output(
      kind: kind, part: Int16(clamping: position), step: restStep,
      level: Int32(restLevels.count - 1))
  }

  /// Adds the path of an output in the object; returns -1 if the entity does not keep unmapped
  /// keys.
  private mutating func addRestPath(_ segment: JSONKeyPath.Segment) -> Int32 {
    guard restStep >= 0 else { return -1 }
    restPaths.append(RestPath(restPath + [segment]))
    return Int32(restPaths.count - 1)
  }

  /// Adds the outputs of properties; paths with the same beginning share an object, at the place of
  /// the first.
  ///
  /// Recursion is bounded by the paths' length.
  private mutating func addOutputs(_ drafts: [OutputDraft], hasKeys: Bool = true) {
    var order: [JSONKeyPath.Segment] = []
    var groups: [JSONKeyPath.Segment: [OutputDraft]] = [:]
    for draft in drafts {
      guard let segment = draft.segments.first else { continue }
      if groups[segment] == nil { order.append(segment) }
      var inner = draft
      inner.segments = draft.segments.dropFirst()
      groups[segment, default: []].append(inner)
    }
    for segment in order {
      guard let group = groups[segment], let first = group.first else { continue }
      let (offset, length) =
        hasKeys ? segment.key.map { add(key: Name($0)) } ?? (0, 0) : (0, 0)
      let place = addRestPath(segment)
      var opening = Output(
        kind: .open, keyOffset: offset, keyLength: length, restPath: place)
      switch first.segments.first {
      case nil, .elements?:
        var written = output(first, key: (offset, length))
        written.restPath = place
        outputs.append(written)
      case .key?:
        outputs.append(opening)
        restPath.append(segment)
        addOutputs(group)
        restPath.removeLast()
        outputs.append(
          Output(
            kind: .close, keyOffset: offset, keyLength: length, level: canBeEmpty(group),
            restPath: place))
      case .position?:
        opening.kind = .openArray
        outputs.append(opening)
        restPath.append(segment)
        addElements(group)
        restPath.removeLast()
        outputs.append(
          Output(
            kind: .closeArray, part: Int16(clamping: Self.elementCount(group)), keyOffset: offset,
            keyLength: length, level: canBeEmpty(group), restPath: place))
      }
    }
    guard hasKeys else { return }
    let named = Set(order.compactMap { $0.key.map(Name.init) })
    if let rest = rest(.rest, named: named) { outputs.append(rest) }
  }

  /// Returns 0 if each value in an object can be omitted, so an empty object is omitted; otherwise
  /// -1.
  private func canBeEmpty(_ group: [OutputDraft]) -> Int32 {
    let isEach = group.allSatisfy { draft in
      !draft.output.members.isEmpty
        || draft.step >= 0 && steps[draft.step].options.isSuperset(of: [.omitsNull, .choosesNull])
    }
    return isEach ? 0 : -1
  }

  /// Returns the output of a value under a key; the rest of its path is written around each member
  /// of a list.
  private mutating func output(_ draft: OutputDraft, key: (offset: Int, length: Int)) -> Output {
    let mapping = draft.output
    var output = Output(
      kind: draft.isOwners ? .ownersValue : .value, isIndexed: mapping.isIndexed,
      isFlat: mapping.isFlat, part: Int16(clamping: mapping.part ?? -1), step: Int32(draft.step),
      merge: Int32(draft.merge), mergedCount: Int32(mapping.merged.count), keyOffset: key.offset,
      keyLength: key.length, isKey: mapping.isKey)
    if mapping.isKind { output.kind = .kind }
    if let constant = mapping.constant {
      output.kind = .constant
      output.constantOffset = bytes.count
      bytes += (constant + ",").utf8
      output.constantLength = bytes.count - output.constantOffset
    }
    if !mapping.members.isEmpty {
      output.kind = .membersValue
      output.level = Int32(memberValues.count)
      memberValues.append(
        mapping.members.map { (step: draft.firstStep + Int32($0.relationship), number: $0.number) })
    }
    output.firstWrap = Int32(wraps.count)
    for case .key(let key) in draft.segments { wraps.append(add(key: key)) }
    output.wrapCount = Int32(wraps.count) - output.firstWrap
    return output
  }

  mutating func add(key: Name) -> (offset: Int, length: Int) {
    if let offset = offsetOfOutput[key] { return offset }
    let offset = bytes.count
    bytes.append(contentsOf: JSONValue.string(key.text).description.utf8)
    bytes.append(UInt8(ascii: ":"))
    offsetOfOutput[key] = (offset, bytes.count - offset)
    return (offset, bytes.count - offset)
  }
}
