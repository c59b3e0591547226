/// The unmapped keys, with their numbers of occurrences.
struct UnknownKeyCounts {
  struct Key: Hashable {
    let plan: PlanIndex
    /// The node of the enclosing object.
    let node: Int32
    let key: Name
  }

  /// The first location and the number of occurrences of each key.
  private(set) var found: [Key: (issue: GrootIssue, count: Int)] = [:]
  private var order: [Key] = []
  /// The number of keys to report: memory must not grow with the number of unmapped keys.
  static let maximumCount = 1_000

  /// Counts a key; returns false for the first occurrence, whose location is still to be noted.
  mutating func count(_ key: Key) -> Bool {
    guard found[key] != nil || found.count >= Self.maximumCount else { return false }
    found[key]?.count += 1
    return true
  }

  mutating func add(_ key: Key, _ issue: GrootIssue) {
    found[key] = (issue, 1)
    order.append(key)
  }

  /// A warning for each key, in the order of the first occurrences.
  var warnings: [GrootIssue] {
    order.compactMap { key in
      guard case (var issue, let count)? = found[key] else { return nil }
      issue.severity = .warning
      issue.message += count == 1 ? "; found once" : "; found \(count) times"
      return issue
    }
  }
}

/// Finds the unmapped keys of records under the policy `unknownKeys`.
///
/// It reads the tape and tells the log of issues, and touches nothing else.
final class UnknownKeyLog {
  private let plan: Plan
  private let tape: JSONTape
  private let current: CurrentElement
  private let log: IssueLog
  private let keyMatcher: KeyMatcher
  /// The treatment of unmapped keys for entities without their own.
  let policy: UnknownKeys
  @exclusivity(unchecked) private(set) var counts = UnknownKeyCounts()

  init(_ policy: UnknownKeys, log: IssueLog, keyMatcher: KeyMatcher) {
    self.policy = policy
    self.log = log
    (plan, current, tape) = (log.plan, log.current, log.current.tape)
    self.keyMatcher = keyMatcher
  }

  /// Notes the unmapped keys of a record, including those in objects that paths lead through.
  @inline(never)
  func noteUnknownKeys(_ frame: ImportFrame) throws {
    let entity = plan.entities + frame.plan
    guard !entity.hasRest else { return }
    let policy = entity.unknownKeys ?? policy
    if policy != .ignore {
      try noteUnknownKeys(frame.token, under: entity.root, plan: frame.plan, policy: policy)
    }
  }

  /// Recurses at most as deep as the longest key path is long.
  private func noteUnknownKeys(
    _ value: TokenIndex, under node: Int32, plan number: PlanIndex, policy: UnknownKeys
  ) throws {
    let found = plan.nodes + Int(node)
    switch tape.tokens[value].kind {
    case .object:
      var key = value.next
      for _ in 0..<Int(clamping: tape.tokens[value].payload) {
        let child = keyMatcher.find(node, key: tape.tokens[key])
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

  // MARK: Documents

  /// Notes unmapped keys of the document on the tape that do not lead to records.
  func noteUnknownKeys(ofDocument known: [JSONKeyPath]) throws {
    try noteUnknownKeys(of: .first, known: known.map { $0.segments[...] })
  }

  /// Recurses at most as deep as the longest path is long.
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
    let key = UnknownKeyCounts.Key(plan: .none, node: -1, key: Name(current.path(token)))
    if policy == .report, counts.count(key) { return }
    let issue = log.issue(
      .unknownKey, "neither a root nor a key path names '\(name.text.shortened)'", token: token,
      entity: .none, property: nil)
    if policy == .error { return try log.gather(GrootError(issue)) }
    counts.add(key, issue)
  }

  private func note(
    unknown token: TokenIndex, under node: Int32, plan number: PlanIndex, policy: UnknownKeys
  ) throws {
    let isKey = plan.nodes[Int(node)].positionCount == 0
    let text = isKey ? String(decoding: tape.tokens[token].bytes, as: UTF8.self) : ""
    let key = UnknownKeyCounts.Key(plan: number, node: node, key: Name(text))
    if policy == .report, counts.count(key) { return }
    let issue = log.issue(
      .unknownKey,
      isKey ? "the key '\(text.shortened)' is unmapped" : "this element is unmapped",
      token: token, entity: number, property: nil)
    if policy == .error { return try log.gather(GrootError(issue)) }
    counts.add(key, issue)
  }
}
