// Unmapped keys, under the policy `unknownKeys`.

/// The unmapped keys, and the number of times that each came.
struct UnknownKeyCounts {
  struct Key: Hashable {
    let plan: PlanIndex
    /// The node that it is below.
    let node: Int32
    let key: Name
  }

  /// By key, where it was first and how often it came.
  private(set) var found: [Key: (issue: GrootIssue, count: Int)] = [:]
  private var order: [Key] = []
  /// After these, keys are not told any more: memory is not to grow with what is unknown.
  static let maximumCount = 1_000

  /// Counts a key; false when it is the first of its kind, whose place is to be told.
  mutating func count(_ key: Key) -> Bool {
    guard found[key] != nil || found.count >= Self.maximumCount else { return false }
    found[key]?.count += 1
    return true
  }

  mutating func add(_ key: Key, _ issue: GrootIssue) {
    found[key] = (issue, 1)
    order.append(key)
  }

  /// A warning for each key, in the order in which they came.
  var warnings: [GrootIssue] {
    order.compactMap { key in
      guard case (var issue, let count)? = found[key] else { return nil }
      issue.severity = .warning
      issue.message += count == 1 ? "; it came once" : "; it came \(count) times"
      return issue
    }
  }
}

extension Importer {
  /// Looks for unmapped keys in a record, also inside objects that paths lead through.
  @inline(never)
  func noteUnknownKeys(_ frame: ImportFrame) throws {
    let entity = plan.entities + frame.plan
    guard !entity.hasRest else { return }
    let policy = entity.unknownKeys ?? unknownKeys
    if policy != .ignore {
      try noteUnknownKeys(frame.token, under: entity.root, plan: frame.plan, policy: policy)
    }
  }

  /// Recursion is bounded by the length of the longest key path.
  private func noteUnknownKeys(
    _ value: TokenIndex, under node: Int32, plan number: PlanIndex, policy: UnknownKeys
  ) throws {
    let found = plan.nodes + Int(node)
    switch tape.tokens[value].kind {
    case .object:
      var key = value.next
      for _ in 0..<Int(clamping: tape.tokens[value].payload) {
        let child = matcher.find(node, after: -1, key: tape.tokens[key])
        if child < 0 {
          try note(unknown: key, under: node, plan: number, policy: policy)
        } else if plan.nodes[Int(child)].leadsOn {
          try noteUnknownKeys(
            tape.resolved(key.next), under: child, plan: number, policy: policy)
        }
        key = tape.end(of: key.next)
      }
    case .array:
      var element = value.next
      for position in 0..<Int(clamping: tape.tokens[value].payload) {
        var child = found.elements >= 0 ? found.elements : node
        if position < Int(found.positionCount) {
          child = plan.positions[Int(found.firstPosition) + position]
        }
        if found.positionCount > 0 && (child < 0 || position >= Int(found.positionCount)) {
          try note(unknown: element, under: node, plan: number, policy: policy)
        } else if child >= 0, plan.nodes[Int(child)].leadsOn {
          try noteUnknownKeys(tape.resolved(element), under: child, plan: number, policy: policy)
        }
        element = tape.end(of: element)
      }
    default: break
    }
  }

  /// Warns of an entity of whose records nothing is read.
  func noteUnread(_ entity: PlanIndex) {
    let model = graph.model
    let number = plan.entities[entity].entity
    guard model.kinds(of: number).allSatisfy({ plan.entities[PlanIndex(of: $0)].slotCount == 0 }),
      plan.entities[entity].slotCount == 0, !model.resolved[number].propertyNames.isEmpty
    else { return }
    notes.append([
      GrootIssue(
        .invalidMapping,
        "no property has a key path, so that nothing of the records is read: give properties a "
          + "JSONKeyPath, or the entity groot.implicit 'true'",
        severity: .warning, entity: model.resolved[number].name)
    ])
  }

  // MARK: Documents

  /// Looks for unmapped keys of the document on the tape that lead to no records.
  func noteUnknownKeys(ofDocument known: [JSONKeyPath]) throws {
    try noteUnknownKeys(of: .first, known: known.map { $0.segments[...] })
  }

  /// Recursion is bounded by the length of the longest path.
  private func noteUnknownKeys(
    of object: TokenIndex, known: [ArraySlice<JSONKeyPath.Segment>]
  ) throws {
    guard tape.tokens[object].kind == .object else { return }
    var key = object.next
    for _ in 0..<Int(clamping: tape.tokens[object].payload) {
      let name = Name(String(decoding: tape.tokens[key].bytes, as: UTF8.self))
      let inner = known.filter { $0.first == .key(name) }.map { $0.dropFirst() }
      if inner.isEmpty {
        try note(unknownInDocument: key, name: name)
      } else if !inner.contains(where: \.isEmpty) {
        try noteUnknownKeys(of: tape.resolved(key.next), known: inner)
      }
      key = tape.end(of: key.next)
    }
  }

  private func note(unknownInDocument token: TokenIndex, name: Name) throws {
    let key = UnknownKeyCounts.Key(plan: .none, node: -1, key: Name(path(token)))
    if unknownKeys == .report, unknownKeyCounts.count(key) { return }
    let issue = issue(
      .unknownKey, "neither a root nor a key path names '\(name.text.shortened)'", token: token,
      entity: .none, property: nil)
    if unknownKeys == .error { return try gather(GrootError(issue)) }
    unknownKeyCounts.add(key, issue)
  }

  private func note(
    unknown token: TokenIndex, under node: Int32, plan number: PlanIndex, policy: UnknownKeys
  ) throws {
    let isKey = plan.nodes[Int(node)].positionCount == 0
    let text = isKey ? String(decoding: tape.tokens[token].bytes, as: UTF8.self) : ""
    let key = UnknownKeyCounts.Key(plan: number, node: node, key: Name(text))
    if policy == .report, unknownKeyCounts.count(key) { return }
    let issue = issue(
      .unknownKey,
      isKey ? "the key '\(text.shortened)' is unmapped" : "this element is unmapped",
      token: token, entity: number, property: nil)
    if policy == .error { return try gather(GrootError(issue)) }
    unknownKeyCounts.add(key, issue)
  }
}
