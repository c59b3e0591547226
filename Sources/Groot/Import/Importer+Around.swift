// The enclosing objects of members, where their `@parent` paths begin.

extension Importer {
  /// Returns the enclosing object of a relationship's value.
  @inline(__always)
  func parent(
    of token: TokenIndex, _ frame: ImportFrame, _ step: PlanPart<StepPlan>
  ) -> TokenIndex {
    step.readsAround ? around(token, of: frame, step: step)[0] : frame.token
  }

  /// Returns the enclosing objects of a relationship's value: one, or one for each list element.
  @inline(never)
  func around(
    _ token: TokenIndex, of frame: ImportFrame, step: PlanPart<StepPlan>
  ) -> [TokenIndex] {
    let base = Int(frame.slots) + Int(step.firstSlot)
    let position = (0..<Int(step.slotCount)).first { slots.start[base + $0] == token }
    let properties = mapping.entities[frame.plan].properties
    let number = (step - steps) - Int(plan.entities[frame.plan].firstStep)
    guard let position, properties.indices.contains(number),
      properties[number].inputs.indices.contains(position),
      properties[number].inputs[position].origin == .object
    else { return [frame.token] }
    let path = properties[number].inputs[position].segments[...]
    var found: [TokenIndex] = []
    findAround(
      frame.token, inside: frame.token, path.last == .elements ? path.dropLast() : path, &found)
    return found.isEmpty ? [frame.token] : found
  }

  /// Recurses at most as deep as the path is long and arrays are nested.
  private func findAround(
    _ value: TokenIndex, inside holder: TokenIndex, _ path: ArraySlice<JSONKeyPath.Segment>,
    _ found: inout [TokenIndex]
  ) {
    guard let segment = path.first else { return found.append(holder) }
    let value = tape.resolved(value)
    let next: TokenIndex?
    switch (segment, tape.tokens[value].kind) {
    case (.key(let key), .object):
      var text = key.text
      next = text.withUTF8 { tape.value(forKey: $0, inObject: value) }
    case (.position(let position), .array): next = tape.element(at: position, inArray: value)
    case (.key, .array), (.elements, .array):
      let inner = segment == .elements ? path.dropFirst() : path
      var element = value.next
      for _ in 0..<Int(clamping: tape.tokens[value].payload) {
        findAround(element, inside: holder, inner, &found)
        element = tape.end(of: element)
      }
      return
    default: next = nil
    }
    guard let next else { return found.append(.none) }
    findAround(next, inside: value, path.dropFirst(), &found)
  }
}
