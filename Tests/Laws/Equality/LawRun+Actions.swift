@testable import Groot

extension LawRun {
  /// What an operation comes to now; nil when there is nothing that it could be done with.
  func action(for operation: LawOperation) -> LawAction? {
    switch operation {
    case .importRecords(let entity, let json, let settings):
      return .importRecords(entity, json, settings)
    case .sync(let entity, let json, let seed): return sync(entity, json, seed)
    case .insert(let entity): return .insert(entity: entity)
    case .delete(let seed): return picker(seed) { $0.object().map { .delete($0) } }
    case .fill(let seed): return picker(seed) { $0.fill() }
    case .change(let seed): return picker(seed) { $0.change() }
    case .read(let seed): return picker(seed) { $0.reading() }
    case .save, .rollback, .refresh, .reopen, .other: return nil
    }
  }

  /// The entity of a living object, as a position in the model.
  func entity(_ number: Int) -> EntityIndex? {
    (try? memory.context.entity(of: all[number])).flatMap { try? law.model.index(of: $0.name) }
  }

  private func sync(_ entity: String, _ json: JSONValue, _ seed: UInt64) -> LawAction {
    var picker = Picker(self, seed)
    var sync = LawSync()
    sync.options.listsChanges = true
    sync.options.inserts = picker.random.chance(85)
    sync.options.updates = picker.random.chance(85)
    sync.options.deletes = picker.random.chance(70)
    if picker.random.chance(30) { sync.options.memberDeletes = picker.random.chance(50) }
    if picker.random.chance(40), let index = try? law.model.index(of: entity) {
      var requests = LawRequests(law: law, random: picker.random)
      sync.options.predicate = requests.predicate(index, 1)
    }
    if picker.random.chance(30) { sync.parent = picker.object() }
    return .sync(entity, json, sync)
  }

  private func picker(_ seed: UInt64, _ body: (inout Picker) -> LawAction?) -> LawAction? {
    var picker = Picker(self, seed)
    return body(&picker)
  }
}

/// Chooses objects and properties.
private struct Picker {
  let run: LawRun
  var random: SeededGenerator

  init(_ run: LawRun, _ seed: UInt64) {
    self.run = run
    random = SeededGenerator(seed: seed)
  }

  private func living(_ entity: EntityIndex) -> [Int] {
    let request = FetchRequest(run.law.model.resolved[entity].name)
    return ((try? run.memory.context.fetchIDs(request)) ?? []).map { run.number($0) }
  }

  /// A living object of an entity, or of any.
  mutating func object(_ entity: EntityIndex? = nil) -> Int? {
    if let entity { return random.one(of: living(entity)) }
    let roots = run.law.roots.compactMap { try? run.law.model.index(of: $0) }
    // Deleted ones that every context knows by an id, now and then.
    if random.chance(3) {
      return random.one(of: run.all.indices.filter { run.stored.ids[$0] != nil })
    }
    return random.one(of: roots.flatMap { living($0) })
  }

  private mutating func property(_ object: Int, _ fits: (Property) -> Bool) -> Property? {
    guard let entity = run.entity(object) else { return nil }
    return random.one(of: run.law.properties(of: entity).filter(fits))
  }

  /// An object that may be at the other end; rarely one that may not.
  private mutating func partner(_ property: Property) -> Int? {
    if random.chance(3) { return object() }
    return (try? run.law.model.index(of: property.relationship?.destination ?? ""))
      .flatMap { object($0) }
  }

  private func members(_ object: Int, _ name: String) -> [Int] {
    ((try? run.memory.context.members(.name(name), of: run.all[object])) ?? []).map(run.number)
  }

  private mutating func anything() -> (Int, Property)? {
    object().flatMap { object in property(object, { _ in true }).map { (object, $0) } }
  }

  /// A list with several members, or what comes first.
  private mutating func list() -> (Int, Property)? {
    for _ in 0..<8 {
      guard let object = object(), let list = property(object, { $0.field.isToMany }) else {
        continue
      }
      if members(object, list.name).count > 1 { return (object, list) }
    }
    return anything()
  }

  mutating func fill() -> LawAction? {
    guard let object = object(), let entity = run.entity(object) else { return nil }
    var records = LawRecords(law: run.law, random: random)
    return .fill(object, records.record(entity, 2))
  }

  mutating func change() -> LawAction? {
    guard let (object, property) = random.chance(40) ? list() : anything() else { return nil }
    if let attribute = property.attribute {
      if random.chance(12) { return .setValue(object, attribute.name, .null) }
      return .setValue(object, attribute.name, random.value(of: attribute.type))
    }
    if !property.field.isToMany {
      return .setTarget(object, property.name, random.chance(20) ? nil : partner(property))
    }
    let current = members(object, property.name)
    switch random.below(8) {
    case 0...1: return partner(property).map { .add(object, property.name, $0) }
    case 2: return random.one(of: current).map { .remove(object, property.name, $0) }
    case 3...4: return .setMembers(object, property.name, current.shuffled(using: &random))
    case 5: return partner(property).map { .remove(object, property.name, $0) }
    default:
      var members = current.filter { _ in random.chance(50) }
      for _ in 0..<random.number(in: 0...4) {
        if let member = partner(property) { members.append(member) }
      }
      return .setMembers(object, property.name, members.shuffled(using: &random))
    }
  }

  mutating func reading() -> LawAction? {
    let entity = run.law.randomEntity(using: &random)
    var requests = LawRequests(law: run.law, random: random.fork())
    switch random.below(12) {
    case 0...3: return .fetch(requests.fetch(entity))
    case 4: return .count(requests.fetch(entity))
    case 5: return .aggregate(requests.aggregate(entity))
    case 6:
      guard let path = requests.orderable(entity) else { return nil }
      var request = requests.fetch(entity)
      request.sortKeys = []
      return .distinct(FetchRequest.SortKey(path, isAscending: random.chance(50)), request)
    case 7: return .export(living(entity).shuffled(using: &random).prefix(3).map { $0 })
    case 8:
      let names = run.law.properties(of: entity).filter { !$0.field.isToMany }.map(\.name)
      return random.one(of: names).map {
        .column(
          run.law.model.resolved[entity].name, $0, living(entity).shuffled(using: &random))
      }
    default:
      guard let object = object(), let property = property(object, { _ in true }) else {
        return nil
      }
      return reading(object, property)
    }
  }

  private mutating func reading(_ object: Int, _ property: Property) -> LawAction? {
    if property.attribute != nil { return .value(object, property.name) }
    if !property.field.isToMany { return .target(object, property.name) }
    switch random.below(3) {
    case 0: return .members(object, property.name)
    case 1: return .memberCount(object, property.name)
    default: return partner(property).map { .contains(object, property.name, $0) }
    }
  }
}
