@testable import Groot

/// Carries out a sequence on a context in memory and on one with a store, and compares them.
final class LawRun {
  let law: LawModel
  let place: any LawPlace
  let memory: LawWorld
  let stored: LawWorld
  /// By number, the ids in memory; also of what is deleted.
  var all: [ObjectID] = []
  var random: SeededGenerator
  /// In how many steps of a hundred the store fails first.
  private let faultiness: Int
  /// Says which requests for memory are refused, in sequences whose store does not fail.
  private var memoryRandom: SeededGenerator
  private let refusesMemory: Bool
  /// In how many steps of a hundred everything is compared, hence read.
  private let watchfulness: Int
  /// Whether imports are texts before which the store is read, and mostly repeat what there is.
  private let readsAhead: Bool
  /// What was done so far: actions, and words.
  private(set) var history: [Any] = []

  init(_ law: LawModel, seed: UInt64, in place: any LawPlace, readsAhead: Bool) throws {
    self.law = law
    self.readsAhead = readsAhead
    self.place = place
    random = SeededGenerator(seed: seed)
    faultiness = random.pick([0, 0, 30])
    memoryRandom = SeededGenerator(seed: ~seed)
    refusesMemory = faultiness > 0 ? false : memoryRandom.flip()
    watchfulness = random.pick([0, 0, 10, 20, 100])
    memory = LawWorld(law)
    stored = try LawWorld(law, place)
  }

  func note(_ text: String) { history.append(text) }

  func fail(_ text: String) -> LawFailure { LawFailure(text) }

  /// Runs the sequence; throws at the first difference.
  func run(_ operations: [LawOperation]) throws {
    for operation in operations {
      try perform(operation, on: stored)
      try compareCounts(stored)
      if random.chance(watchfulness) { try compareAll(stored) }
    }
    note("compare")
    try compareAll(stored)
    if try save(stored) {
      note("reopen")
      try stored.reopen(law, place)
      try compareAll(stored)
    }
  }

  private func perform(_ operation: LawOperation, on world: LawWorld) throws {
    switch operation {
    case .save: _ = try save(world)
    case .rollback: try rollBack()
    case .refresh:
      note("refresh")
      try memory.context.rollback()
      try world.context.refresh()
    case .reopen(let seed):
      if seed % 4 > 0 { _ = try save(world) }
      try memory.context.rollback()
      note("reopen")
      try world.reopen(law, place)
    case .other(let operations):
      try memory.context.rollback()
      note("another context, of which the first keeps its unsaved changes until it reads anew:")
      let other = try LawWorld(law, place)
      for operation in operations {
        try perform(operation, on: other)
        try compareCounts(other)
      }
      if try !save(other) {
        try memory.context.rollback()
        try other.context.rollback()
      }
      note("end of the other context; refresh")
      try world.context.refresh()
    default:
      guard var action = action(for: operation) else { return }
      if readsAhead { action = try repeating(action) }
      history.append(action)
      try perform(action, on: world)
    }
  }

  /// The number of objects up to which imports repeat them.
  private static let repeatedCount = 60

  /// Returns the same action, whose JSON also has the objects that there are, as a text.
  private func repeating(_ action: LawAction) throws -> LawAction {
    switch action {
    case .importRecords(let entity, let json, var settings):
      settings.form = .longText
      settings.options.listsChanges = false
      return .importRecords(entity, try repeated(json, of: entity), settings)
    case .sync(let entity, let json, var sync):
      sync.form = .longText
      sync.options.listsChanges = false
      return .sync(entity, try repeated(json, of: entity), sync)
    default: return action
    }
  }

  private func repeated(_ json: JSONValue, of entity: String) throws -> JSONValue {
    let context = memory.context
    // Objects without an identity would become twice as many each time.
    guard
      try law.roots.reduce(0, { try $0 + context.count(FetchRequest($1)) }) < Self.repeatedCount,
      case .array(let records) = json,
      let text = try? context.exportText(context.fetch(FetchRequest(entity))),
      case .array(let known)? = try? JSONValue(parsing: text)
    else { return json }
    return .array(records.count % 2 == 0 ? records + known : known + records)
  }

  private func rollBack() throws {
    note("rollback")
    try memory.context.rollback()
    try stored.context.rollback()
  }

  /// Saves both; false when the store refused since two objects would have one identity.
  private func save(_ world: LawWorld) throws -> Bool {
    note("save")
    var error: GrootError?
    // Behind the end of its transaction nothing can undo a save, so it has been done then.
    let isDone = try withFault(world, mayBeDone: true) {
      error = world.save()
      return error.map { "fails: \($0.status) \($0)" } ?? ""
    }
    if !isDone { error = world.save() }
    let issues = LawWorld.describeUnordered(error?.issues ?? [])
    if let error, error.status == .storeDuplicate {
      guard try hasDuplicates() else { throw fail("not refused in memory: \(error)") }
      return false
    }
    do {
      if try issues.isEmpty && hasDuplicates() {
        throw fail("two objects of one identity are saved")
      }
      try memory.context.save()
    } catch let error as GrootError {
      let expected = LawWorld.describeUnordered(error.issues)
      guard expected == issues else { throw fail("save: '\(issues)', in memory '\(expected)'") }
      return false
    }
    guard issues.isEmpty else {
      throw fail("save: \(String(describing: error)), in memory nothing")
    }
    return true
  }

  // MARK: Faults

  /// Does something with a store that fails meanwhile, now and then; false when it is still to do.
  ///
  /// What met the fault must fail, and the context must be as it was.
  private func withFault(
    _ world: LawWorld, mayBeDone: Bool = false, _ body: () -> String
  ) throws -> Bool {
    guard random.chance(faultiness), let fault = world.fault else {
      return refusesMemory ? try withRefusedMemory(world, body) : false
    }
    let steps = 1 << random.number(in: 0...11)
    var text = ""
    guard fault.after(steps + random.below(steps), { text = body() }) else {
      return true
    }
    if mayBeDone && text.isEmpty { return true }
    // A store may find another way.
    if fault.mayRecover && !text.hasPrefix("fails: ") { return true }
    note("the store fails meanwhile, hence again:")
    // Not as one of the wrong records that an import leaves out; two objects of one identity are told
    // first, though.
    guard text.hasPrefix("fails: ") else {
      throw fail("the store failed after \(steps) steps, but what came is '\(text)'")
    }
    try compareCounts(world)
    return false
  }

  /// Does something while memory is refused, once or from then on, now and then; false when it is
  /// still to do.
  private func withRefusedMemory(_ world: LawWorld, _ body: () -> String) throws -> Bool {
    guard memoryRandom.once(in: 3) else { return false }
    let memory = world.context.graph.memory
    let first = memory.requestCount + (1 << memoryRandom.number(in: 0...4)) - 1
    memory.refusedRequests = first..<(memoryRandom.flip() ? first + 1 : .max)
    let text = body()
    memory.refusedRequests = 0..<0
    guard memory.shortage == nil else { throw fail("a shortage is not looked at") }
    guard text.hasPrefix("fails: \(Status.outOfMemory) ") else { return true }
    note("memory is refused meanwhile, hence again:")
    try compareCounts(world)
    return false
  }

  // MARK: Actions

  private func perform(_ action: LawAction, on world: LawWorld) throws {
    for object in action.objects { try resolve(object, in: world) }
    // A deleted object may have no id any more.
    guard action.objects.allSatisfy({ world.ids[$0] != nil }) else { return }
    var done = LawWorld.Outcome()
    let isDone = try withFault(world) {
      done = world.perform(action)
      return done.text
    }
    let expected = memory.perform(action)
    numberNewObjects()
    let found = isDone ? done : world.perform(action)
    guard expected.text == found.text else {
      throw fail("the store gives '\(found.text)', memory '\(expected.text)'")
    }
    try bind(expected.objects, found.objects, in: world)
  }

  /// Gives all living objects in memory a number.
  func numberNewObjects() {
    for root in law.roots {
      for id in (try? memory.context.fetchIDs(FetchRequest(root))) ?? [] { _ = number(id) }
    }
  }

  /// The number of an object in memory.
  func number(_ id: ObjectID) -> Int {
    if let known = memory.numbers[id] { return known }
    memory.bind(all.count, id)
    all.append(id)
    return all.count - 1
  }

  /// Notes which objects of another context are which, or finds that they were others before.
  func bind(_ expected: [ObjectID], _ found: [ObjectID], in world: LawWorld) throws {
    guard expected.count == found.count else {
      throw fail("\(found.count) objects, in memory \(expected.count)")
    }
    for (one, other) in zip(expected, found) {
      let number = number(one)
      if let known = world.numbers[other], known != number {
        throw fail("object \(known), in memory \(number)")
      }
      if let known = world.ids[number], known != other {
        throw fail("object \(number) has another id: \(known), \(other)")
      }
      world.bind(number, other)
    }
  }

  /// Finds an object that the other context has no id for yet, in one of several ways.
  private func resolve(_ number: Int, in world: LawWorld) throws {
    guard world.ids[number] == nil, memory.context.status(of: all[number]) == .ok else { return }
    let id = all[number]
    let table = law.model.resolved[law.model.hierarchies[id.table].entities[0]].name
    let everything = try memory.context.fetchIDs(FetchRequest(table))
    if random.flip() {
      try bind(everything, world.context.fetchIDs(FetchRequest(table)), in: world)
      return
    }
    let place = everything.firstIndex(of: id) ?? 0
    let request = FetchRequest(table, limit: 1, offset: place)
    try bind([id], world.context.fetchIDs(request), in: world)
  }
}
