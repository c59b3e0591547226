// What a plan writes.

extension PlanBuilder {
  /// Adds what one variant writes.
  mutating func add(
    _ variant: [OutputMapping], _ mapping: EntityMapping, _ firstStep: Int
  ) throws {
    let keys = variant.map { JSONKeyPath.position($0.path.segments.first ?? "") }
    let isPositional = mapping.isPositional && !keys.isEmpty && !keys.contains(nil)
    let (first, count) = add(variant, isPositional, firstStep)
    let identity = IdentityOutputs(mapping, variant, isPositional: isPositional)
    let (firstOfIdentity, identityCount) = add(identity.outputs, isPositional, firstStep)
    outputRanges.append(
      OutputRange(
        first: first, count: count, isPositional: isPositional, firstOfIdentity: firstOfIdentity,
        identityCount: identityCount, tellsIdentity: identity.isComplete))
    try checkSize()
  }

  /// Adds the writing of an object, or of an array where keys are positions; its range.
  private mutating func add(
    _ written: [OutputMapping], _ isPositional: Bool, _ firstStep: Int
  ) -> (first: Int32, count: Int32) {
    let first = outputs.count
    if isPositional {
      let keys = written.map { JSONKeyPath.position($0.path.segments.first ?? "") }
      let byPosition = Dictionary(grouping: zip(keys, written)) { $0.0 ?? 0 }
      for position in 0..<(keys.compactMap { $0 }.max() ?? -1) + 1 {
        let here = byPosition[position] ?? []
        if here.isEmpty { outputs.append(Output(kind: .gap)) }
        addOutputs(here.map { ($0.1.path.segments[...], $0.1) }, firstStep, hasKeys: false)
      }
    } else {
      addOutputs(written.map { ($0.path.segments[...], $0) }, firstStep)
    }
    return (Int32(first), Int32(outputs.count - first))
  }

  /// Adds the writing of properties; those that share a beginning share an object, which stands
  /// where the first of them does.
  ///
  /// Recursion is bounded by the paths' length.
  private mutating func addOutputs(
    _ paths: [(segments: ArraySlice<String>, output: OutputMapping)], _ firstStep: Int,
    hasKeys: Bool = true
  ) {
    var order: [Name] = []
    var groups: [Name: [(segments: ArraySlice<String>, output: OutputMapping)]] = [:]
    for path in paths {
      guard let key = path.segments.first.map(Name.init) else { continue }
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append((path.segments.dropFirst(), path.output))
    }
    for key in order {
      guard let group = groups[key], let first = group.first else { continue }
      let (offset, length) = hasKeys ? add(key: key) : (0, 0)
      if first.segments.isEmpty {
        outputs.append(
          Output(
            kind: .value, isIndexed: first.output.isIndexed,
            part: Int16(clamping: first.output.part ?? -1),
            step: Int32(firstStep + first.output.position), keyOffset: offset, keyLength: length))
      } else {
        outputs.append(Output(kind: .open, keyOffset: offset, keyLength: length))
        addOutputs(group, firstStep)
        outputs.append(Output(kind: .close, keyOffset: offset, keyLength: 0))
      }
    }
  }

  private mutating func add(key: Name) -> (offset: Int, length: Int) {
    if let place = offsetOfOutput[key] { return place }
    let offset = bytes.count
    bytes.append(contentsOf: JSONValue.string(key.text).description.utf8)
    bytes.append(UInt8(ascii: ":"))
    offsetOfOutput[key] = (offset, bytes.count - offset)
    return (offset, bytes.count - offset)
  }
}
