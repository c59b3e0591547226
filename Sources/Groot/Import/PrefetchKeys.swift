/// The identities that some elements name, and the lists of their objects that will be filled.
struct PrefetchKeys {
  /// A list to be filled, with the identity of its object.
  private struct List {
    let plan: PlanIndex
    /// The position of the identity among those of the plan.
    let identity: Int
    let field: Field
  }

  /// The identities of each plan, in order; texts are copied.
  private var identities: [PlanIndex: [StoredValue]] = [:]
  /// The positions of identities that are not in memory, by plan.
  private var unknown: [PlanIndex: [Int]] = [:]
  private var lists: [List] = []
  private var text: TextArena

  init(_ memory: MemoryAccount) { text = TextArena(memory) }

  /// Notes a borrowed identity, and returns its position among those of its plan.
  mutating func add(
    _ key: UnsafePointer<StoredValue>, count: Int, of plan: PlanIndex, isUnknown: Bool
  ) -> Int {
    let start = identities[plan]?.count ?? 0
    for position in 0..<count {
      identities[plan, default: []].append(copy(key[position]))
    }
    if isUnknown { unknown[plan, default: []].append(start) }
    return start
  }

  private mutating func copy(_ value: StoredValue) -> StoredValue {
    guard let start = value.start, value.count > 0 else { return value }
    // Without memory for its text, an identity is not prefetched.
    guard let room = text.allocate(value.count) else { return .none }
    let bytes = room.assumingMemoryBound(to: UInt8.self)
    bytes.update(from: start, count: value.count)
    return StoredValue(bytes: UnsafeBufferPointer(start: bytes, count: value.count))
  }

  /// Notes that a list of an object will be filled.
  mutating func add(list field: Field, of plan: PlanIndex, _ identity: Int) {
    lists.append(List(plan: plan, identity: identity, field: field))
  }

  /// Reads the objects and lists that are not in memory, with few queries for each property.
  mutating func read(_ importer: Importer, store: StoreCoordinator) throws {
    defer { text.removeAll() }
    try importer.graph.memory.check()
    for (number, positions) in unknown.sorted(by: { $0.key < $1.key }) {
      let entity = importer.plan.entities[number]
      let table = entity.table
      let numbers = importer.plan.identityNumbers[number]
      guard
        let identity = store.identity(
          numbers, in: table, entities: entity.localIndex...entity.lastLocalIndex),
        let known = identities[number]
      else { continue }
      var parts: [StoredValue] = []
      for position in positions { parts += known[position..<position + numbers.count] }
      try store.readIdentities(table, identity: identity, parts: parts)
    }
    try readLists(importer, store: store)
  }

  private func readLists(_ importer: Importer, store: StoreCoordinator) throws {
    let byPlan = Dictionary(grouping: lists, by: \.plan).sorted { $0.key < $1.key }
    for (plan, lists) in byPlan {
      for (_, lists) in Dictionary(grouping: lists, by: \.field.number).sorted(by: {
        $0.key < $1.key
      }) {
        guard let field = lists.first?.field, let known = identities[plan] else { continue }
        var rows: [Row] = []
        for list in lists {
          let row = try known.withUnsafeBufferPointer { known in
            try known.baseAddress.map { try importer.known(plan, key: $0 + list.identity) } ?? nil
          }
          if let row { rows.append(row) }
        }
        try store.prefetchLists(rows, in: importer.plan.entities[plan].table, field: field)
      }
    }
  }
}

// Search for identities in an element without side effects.

/// A value to search, with the plan of its record and its key.
private struct NamedValue {
  let token: TokenIndex
  let plan: PlanIndex
  var key = TokenIndex.none
}

extension Importer {
  /// Notes the identities in an element, including nested ones.
  func collectKeys(_ element: TokenIndex, entity: PlanIndex, prefetchKeys: inout PrefetchKeys) {
    var waiting = [NamedValue(token: element, plan: entity, key: place.key)]
    while let next = waiting.popLast() {
      place = Place(key: next.key)
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
      guard let chosen = try? discriminated(token, requested: number), !chosen.isNone else {
        return
      }
      number = chosen
    }
    let entity = plan.entities + number
    guard entity.dictionaryTransformer < 0, entity.entityMapper < 0 else { return }
    slots.removeLast(to: 0)
    guard (try? match(token, entity: entity, base: 0)) != nil else { return }
    var identity: Int?
    if entity.identityCount > 0 && !entity.isScoped
      && !hasFunction(entity, count: entity.identityCount)
    {
      let scope = Scope(.skip, operations: targetOperations)
      if (try? readKey(entity, base: 0, object: token, scope: scope)) != nil {
        identity = note(number, prefetchKeys: &prefetchKeys)
      }
    }
    for position in 0..<Int(entity.stepCount) {
      let step = steps + (Int(entity.firstStep) + position)
      // Objects that many objects share are read once, by the import.
      guard !step.destination.isNone, !step.options.contains(.readsPlace),
        let value = try? slot(step, base: 0), !value.isNone
      else {
        continue
      }
      if step.field.isToMany, let identity {
        prefetchKeys.add(list: step.field, of: number, identity)
      }
      if step.form != .array, tape.tokens[value].kind == .object {
        for key in (try? keys(of: value)) ?? [] {
          waiting.append(
            NamedValue(token: tape.resolved(key.next), plan: step.destination, key: key))
        }
        continue
      }
      guard let destination = try? destination(of: value, step, record: token), !destination.isNone
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
    if (try? read(step, token: token, entity: number, into: &key[0])) == .value {
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
    guard let store, let index = try? identityIndex(number), let hash = index.pointee.hash(key)
    else { return nil }
    let entity = plan.entities + number
    let numbers = plan.identityNumbers[number]
    let found = index.pointee.find(
      key, hash: hash, first: entity.localIndex, last: entity.lastLocalIndex)
    let isKnown = found.map { isOnly($0, entity: entity, index: index, store: store) } ?? false
    // Only identities that are read here may be marked as read.
    let isUnknown =
      !isKnown && isUnique(entity, store: store)
      && store.isNew(numbers, in: entity.table, key: key)
    return prefetchKeys.add(key, count: numbers.count, of: number, isUnknown: isUnknown)
  }

  /// Returns the row in memory with an identity.
  func known(_ number: PlanIndex, key: UnsafePointer<StoredValue>) throws -> Row? {
    let entity = plan.entities + number
    let index = try identityIndex(number)
    guard let hash = index.pointee.hash(key) else { return nil }
    return index.pointee.find(
      key, hash: hash, first: entity.localIndex, last: entity.lastLocalIndex)
  }
}
