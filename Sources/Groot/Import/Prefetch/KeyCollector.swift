/// Finds the identities in an element without side effects.
struct KeyCollector {
  private let graph: Graph
  private let store: StoreCoordinator?
  private let plan: Plan
  private let steps: PlanPart<StepPlan>
  private let tape: JSONTape
  private let matcher: RecordMatcher
  private let resolver: Resolver
  private let finder: IdentityFinder
  private let chooser: EntityChooser

  init(_ resolver: Resolver) {
    self.resolver = resolver
    (graph, store, plan) = (resolver.graph, resolver.finder.store, resolver.plan)
    (steps, tape, matcher) = (resolver.steps, resolver.tape, resolver.matcher)
    (finder, chooser) = (resolver.finder, resolver.chooser)
  }

  /// Notes the identities in an element, including nested ones.
  func collectKeys(_ element: TokenIndex, entity: PlanIndex, prefetchKeys: inout PrefetchKeys) {
    var waiting = [NamedValue(token: element, plan: entity, key: matcher.place.key)]
    while let next = waiting.popLast() {
      matcher.place = Place(key: next.key)
      switch tape.tokens[next.token].kind {
      case .object:
        collectKeysOfObject(
          next.token, number: next.plan, prefetchKeys: &prefetchKeys, waiting: &waiting)
      case .array:
        var element = next.token.next
        for _ in 0..<Int(clamping: tape.tokens[next.token].payload) {
          waiting.append(NamedValue(token: element, plan: next.plan, key: next.key))
          element = tape.end(of: element)
        }
      case .string, .integer, .real, .largeNumber:
        if namesByValue(next.plan) {
          collectKeysOfObject(
            next.token, number: next.plan, prefetchKeys: &prefetchKeys, waiting: &waiting)
        } else {
          collectKeyOfIdentifier(next.token, number: next.plan, prefetchKeys: &prefetchKeys)
        }
      case .null, .true, .false, .alias: break
      }
    }
  }

  /// Returns whether a scalar in the place of an object is the identifier of another object.
  private func namesByValue(_ number: PlanIndex) -> Bool {
    let step = plan.entities[number].valueStep
    return step >= 0 && !steps[Int(step)].destination.isNone
  }

  private func collectKeysOfObject(
    _ token: TokenIndex, number: PlanIndex, prefetchKeys: inout PrefetchKeys,
    waiting: inout [NamedValue]
  ) {
    var number = number
    if plan.entities[number].discriminator >= 0 {
      // The import itself reports errors in the other records.
      guard let chosen = try? chooser.discriminated(token, requested: number), !chosen.isNone else {
        return
      }
      number = chosen
    }
    let entity = plan.entities + number
    guard entity.dictionaryTransformer < 0, entity.entityMapper < 0 else { return }
    matcher.removeSlots()
    guard (try? matcher.match(token, entity: entity, base: 0)) != nil else { return }
    var identity: Int?
    if entity.identityCount > 0 && !entity.isScoped
      && !hasFunction(entity, count: entity.identityCount)
    {
      let scope = Scope(.skip, operations: resolver.targetOperations)
      if (try? resolver.readKey(entity, base: 0, object: token, scope: scope)) != nil {
        identity = note(number, prefetchKeys: &prefetchKeys)
      }
    }
    for position in 0..<Int(entity.stepCount) {
      let step = steps + (Int(entity.firstStep) + position)
      // Objects that many objects share are read once, by the import.
      guard !step.destination.isNone, !step.options.contains(.readsPlace),
        let value = try? matcher.slot(step, base: 0), !value.isNone
      else {
        continue
      }
      if step.field.isToMany, let identity {
        prefetchKeys.add(list: step.field, of: number, identity)
      }
      if step.form != .array, tape.tokens[value].kind == .object {
        for key in (try? matcher.keys(of: value)) ?? [] {
          waiting.append(
            NamedValue(token: tape.resolved(key.next), plan: step.destination, key: key))
        }
        continue
      }
      guard let destination = try? chooser.destination(of: value, step, record: token),
        !destination.isNone
      else { continue }
      waiting.append(NamedValue(token: value, plan: destination))
    }
  }

  private func collectKeyOfIdentifier(
    _ token: TokenIndex, number: PlanIndex, prefetchKeys: inout PrefetchKeys
  ) {
    let entity = plan.entities + number
    guard entity.identityCount == 1, !entity.isScoped,
      !hasFunction(entity, count: 1)
    else {
      return
    }
    let step = steps + Int(plan.identities[Int(entity.firstIdentity)])
    if (try? matcher.values.read(step, token: token, entity: number, into: &finder.key[0]))
      == .value
    {
      _ = note(number, prefetchKeys: &prefetchKeys)
    }
  }

  /// Returns whether an identity needs a callback, which prefetching must not call.
  private func hasFunction(_ entity: PlanPart<EntityPlan>, count: Int32) -> Bool {
    (0..<Int(count)).contains {
      steps[Int(plan.identities[Int(entity.firstIdentity) + $0])].conversion == .function
    }
  }

  /// Notes the current identity once, and returns its position; nil if it lacks a value.
  private func note(_ number: PlanIndex, prefetchKeys: inout PrefetchKeys) -> Int? {
    guard let store, let index = try? finder.identityIndex(number),
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
    return prefetchKeys.add(finder.key, count: numbers.count, of: number, isUnknown: isUnknown)
  }
}

/// A value to search, with the plan of its record and its key.
private struct NamedValue {
  let token: TokenIndex
  let plan: PlanIndex
  var key = TokenIndex.none
}
