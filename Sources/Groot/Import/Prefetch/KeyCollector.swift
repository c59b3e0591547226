/// Finds the identities in records without side effects.
struct KeyCollector: RecordVisitor {
  /// The identities and lists so far.
  var keys: PrefetchKeys
  private let store: StoreCoordinator
  private let plan: Plan
  private let steps: PlanPart<StepPlan>
  private let matcher: RecordMatcher
  private let resolver: Resolver
  private let finder: IdentityFinder
  /// The position of the current record's identity among those of its plan; nil without one.
  private var identity: Int?

  init(_ resolver: Resolver, store: StoreCoordinator) {
    self.resolver = resolver
    self.store = store
    keys = PrefetchKeys(resolver.graph.memory)
    (plan, steps, matcher) = (resolver.plan, resolver.steps, resolver.matcher)
    finder = resolver.finder
  }

  /// Notes the identity of a record.
  mutating func visit(record: TokenIndex, of number: PlanIndex) {
    let entity = plan.entities + number
    identity = nil
    guard entity.identityCount > 0, !entity.isScoped,
      !hasFunction(entity, count: entity.identityCount)
    else { return }
    let scope = Scope(.skip, operations: resolver.targetOperations)
    if (try? resolver.readKey(entity, base: 0, object: record, scope: scope)) != nil {
      identity = note(number)
    }
  }

  /// Notes a list that will be filled.
  mutating func visit(relationship step: PlanPart<StepPlan>, of number: PlanIndex) {
    if step.field.isToMany, let identity { keys.add(list: step.field, of: number, identity) }
  }

  /// Notes an identifier as the identity that it is.
  mutating func visit(identifier: TokenIndex, of number: PlanIndex) {
    let entity = plan.entities + number
    guard entity.identityCount == 1, !entity.isScoped,
      !hasFunction(entity, count: 1)
    else {
      return
    }
    let step = steps + Int(plan.identities[Int(entity.firstIdentity)])
    if (try? matcher.values.read(step, token: identifier, entity: number, into: &finder.key[0]))
      == .value
    {
      _ = note(number)
    }
  }

  /// Returns whether an identity needs a callback, which prefetching must not call.
  private func hasFunction(_ entity: PlanPart<EntityPlan>, count: Int32) -> Bool {
    (0..<Int(count)).contains {
      steps[Int(plan.identities[Int(entity.firstIdentity) + $0])].conversion == .function
    }
  }

  /// Notes the current identity once, and returns its position; nil if it lacks a value.
  private mutating func note(_ number: PlanIndex) -> Int? {
    guard let index = try? finder.identityIndex(number),
      let hash = index.pointee.hash(finder.key)
    else { return nil }
    let entity = plan.entities + number
    let numbers = plan.identityNumbers[number]
    let found = index.pointee.find(
      finder.key, hash: hash, first: entity.localIndex, last: entity.lastLocalIndex)
    let isKnown =
      found.map { finder.isOnly($0, entity: entity, index: index, store: store) } ?? false
    // Only identities that are read here may be marked as read.
    let isUnknown =
      !isKnown && finder.isUnique(entity, store: store)
      && store.isNew(numbers, in: entity.table, key: finder.key)
    return keys.add(finder.key, count: numbers.count, of: number, isUnknown: isUnknown)
  }
}
