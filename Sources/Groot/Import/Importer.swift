/// Executes a plan: reads elements from a tape, and finds, makes, fills and links objects.
///
/// One importer serves one import. It makes the parts of the import, and leads each record through
/// them. A record is *matched*: its values are found by its keys. It is *resolved*: its object is
/// found by its identity, or made. Later it is *filled*. Objects with relationships wait on a stack of
/// frames, so that nested JSON needs no recursion here. Frames are taken in document order, each
/// before the frames that follow it.
///
/// A part uses only those before it, in this order: ``CurrentElement``, ``IssueLog``,
/// ``CallbackRunner``, ``ValueReader``, ``RestReader``, ``RecordMatcher``, ``EntityChooser``;
/// ``ImportTally``, ``Deleter``, ``IdentityFinder``, ``References``, ``Tombstones``,
/// ``MissingMembers``, ``RestMerger``, ``Filler``, ``Resolver``, ``Linker``.
///
/// The variables of the parts are accessed for every value, and no two accesses overlap. The attribute
/// `exclusivity(unchecked)` therefore saves the calls that would check this.
package final class Importer {
  let graph: Graph
  /// The store of the objects; nil for objects in memory only.
  let store: StoreCoordinator?
  let mapping: Mapping
  private let callSteps: CallSteps
  let current: CurrentElement
  let log: IssueLog
  let matcher: RecordMatcher
  /// The parts below are nil where the mapping or the call does not need them.
  let unknownKeys: UnknownKeyLog?
  let tally: ImportTally
  let deleter: Deleter
  let references: References
  let tombstones: Tombstones?
  let missingMembers: MissingMembers?
  let pendingRests: RestMerger?
  let filler: Filler
  let resolver: Resolver
  let linker: Linker
  let progress: ImportProgressReporter
  /// The scope of top-level objects.
  @exclusivity(unchecked) var top: Scope
  /// Whether the entries must be objects with an identity.
  @exclusivity(unchecked) var takesEntriesOnly = false

  var plan: Plan { mapping.plan }
  var tape: JSONTape { current.tape }

  /// Makes an importer with the policies of its options.
  init(
    graph: Graph, store: StoreCoordinator?, mapping: Mapping, tape: JSONTape,
    options: ImportOptions, policies: Policies, unknownKeys policy: UnknownKeys
  ) {
    let plan = mapping.plan
    let operations = ImportOperations.with(inserts: options.createsObjects, updates: true)
    top = Scope(
      options.createsObjects ? policies.unknownIdentifier : .skip, operations: operations)
    (self.graph, self.store, self.mapping) = (graph, store, mapping)
    callSteps = CallSteps(
      plan, policies: policies, isOwn: !options.policies.isEmpty || !options.createsObjects,
      createsObjects: options.createsObjects)
    let steps = callSteps.steps
    let keyMatcher = KeyMatcher(plan)
    current = CurrentElement(tape)
    log = IssueLog(
      graph, mapping: mapping, current: current, errorMode: options.errorMode,
      maximumIssues: options.maximumIssues)
    let callbacks = CallbackRunner(
      plan, current: current, log: log, userdata: options.callbackUserdata)
    let hasPlaces =
      plan.hasPlaces || options.form != .array || mapping.roots.contains { $0.form != .array }
    matcher = RecordMatcher(
      ValueReader(graph, plan: plan, callbacks: callbacks), log: log, steps: steps,
      rests: plan.hasRest
        ? RestReader(
          graph, plan: plan, steps: steps, current: current, keyMatcher: keyMatcher) : nil,
      keyMatcher: keyMatcher, hasPlaces: hasPlaces)
    unknownKeys =
      policy != .ignore || plan.looksForUnknownKeys
      ? UnknownKeyLog(policy, log: log, keyMatcher: keyMatcher) : nil
    tally = ImportTally(
      graph, skipsRecords: options.errorMode == .skip,
      listsChanges: options.listsChanges || options.isDryRun, listsAccess: options.listsAccess)
    let watchedLinks = callSteps.watchedLinks(plan, tableCount: graph.tableIndices.count)
    let deletes = watchedLinks != nil || !plan.tombstones.isEmpty
    deleter = Deleter(
      tally, store: store, log: log, named: deletes ? NamedObjects(of: graph) : nil)
    references = References(
      matcher, finder: IdentityFinder(graph, store: store, plan: plan), tally: tally,
      deleter: deleter)
    tombstones =
      plan.hasHistory ? Tombstones(matcher, finder: references.finder, deleter: deleter) : nil
    missingMembers = watchedLinks.map { [deleter] in MissingMembers(deleter, watchedLinks: $0) }
    pendingRests = matcher.rests.map { [matcher, tally] in RestMerger(matcher, reader: $0, tally) }
    let readsAll =
      !hasPlaces && unknownKeys == nil && !plan.hasForeignKeys && !options.listsAccess && !deletes
    filler = Filler(
      references: references, tombstones: tombstones, missingMembers: missingMembers,
      pendingRests: pendingRests, repeats: RepeatedRecords(graph.memory, isOn: readsAll))
    resolver = Resolver(
      filler: filler, chooser: EntityChooser(matcher, callbacks: callbacks),
      references: references, tombstones: tombstones, unknownKeys: unknownKeys,
      operations: operations)
    linker = Linker(resolver)
    progress = ImportProgressReporter(tally, current: current, options.progress)
  }

  /// Forgets the state of the previous element.
  func beginElement() {
    current.begin()
    matcher.begin()
    log.begin()
  }

  /// Completes the import after all elements are read.
  func finish() throws {
    try pendingRests?.merge()
    try references.finish()
    try tombstones?.finish()
  }

  // MARK: Records

  /// Imports the record at `token`; returns nil when it is null or invalid.
  ///
  /// An error is thrown, or gathered in the ``IssueLog``, depending on the error mode.
  func importRecord(at token: TokenIndex, into entity: PlanIndex) throws -> ObjectID? {
    matcher.removeSlots()
    linker.begin()
    var found = OptionalRow.none
    var scope = top
    if plan.entities[entity].notesUnidentified { scope.unidentified = .note }
    do {
      if takesEntriesOnly && !isEntry(token, entity: entity) {
        throw log.failure(
          .wrongShape,
          "\(current.shown(token)) is not an entry; an entry is an object or an identifier",
          token: token)
      }
      found = try resolver.resolveRecord(token, entity: entity, scope: scope)
    } catch {
      if takesEntriesOnly && isAlone(token) { throw aboutLoneEntry(error) }
      if scope.unidentified == .note
        && log.noteEntry(error, token: token, isWhole: takesEntriesOnly)
      {
        log.noteUnidentified()
      } else {
        try log.gather(error)
      }
    }
    try linker.fillWaiting(progress)
    let table = plan.entities[entity].table
    guard let row = found.index, graph.tables[table].isLive(row) else { return nil }
    return graph.tables[table].id(row)
  }

  /// The message for an array where records under keys are expected.
  static var arrayForKeys: String {
    "there is an array where an object of records under keys belongs"
  }

  /// Calls `body` with each record of a value, which may be a whole element or a part of one.
  func forEachRecord(
    at token: TokenIndex, form: CollectionForm, entity: PlanIndex,
    body: (TokenIndex) throws -> Void
  ) throws {
    guard form != .array else { return try body(token) }
    let kind = tape.tokens[token].kind
    guard kind == .object, token != .first || matcher.place.index < 0 else {
      let message =
        kind == .object
        ? Self.arrayForKeys
        : "there is \(current.shown(token)) where an object of records under keys belongs"
      var issue = log.issue(.wrongShape, message, token: token, entity: entity, property: nil)
      // The array itself is invalid, not its first element.
      if kind == .object { issue.path = MessagePath.array(ofElement: issue.path) }
      throw GrootError(issue)
    }
    for (position, key) in try matcher.keys(of: token).enumerated() {
      let value = tape.resolved(key.next)
      let standing = Place(key: key, index: position, parent: matcher.aroundRecords)
      matcher.place = standing
      guard form == .grouped else {
        try body(value)
        continue
      }
      switch tape.tokens[value].kind {
      case .null: break
      case .array:
        var element = value.next
        for index in 0..<Int(clamping: tape.tokens[value].payload) {
          let end = tape.end(of: element)
          matcher.place = standing
          matcher.place.index = index
          try body(element)
          element = end
        }
      default:
        throw log.failure(
          .wrongShape,
          "there is \(current.shown(value)) where a group needs an array of its records",
          token: value, entity: entity)
      }
    }
  }

  /// Returns whether an element is a single object where a list is valid.
  func isAlone(_ token: TokenIndex) -> Bool {
    token == .first && matcher.place.key.isNone && current.isOnlyElement
  }

  /// Returns the error of a single invalid entry, with a hint about lists.
  func aboutLoneEntry(_ error: any Error) -> any Error {
    guard let error = error as? GrootError, IssueLog.isAboutValue(error) else { return error }
    let issues = error.issues.map { issue in
      var issue = issue
      issue.message +=
        "; a single object is read as the only entry: give a list, or the root path of one"
      return issue
    }
    return GrootError(error.status, issues, underlying: error.underlying)
  }

  /// Returns whether a value is an entry: an object, its equivalent, or an identifier.
  func isEntry(_ token: TokenIndex, entity: PlanIndex) -> Bool {
    let entity = plan.entities + entity
    return switch tape.tokens[token].kind {
    case .object: true
    case .null: !matcher.place.key.isNone
    case .array: entity.takesArrays
    case .false, .true, .alias: entity.takesScalars
    case .integer, .real, .largeNumber, .string:
      entity.takesScalars || entity.identityCount == 1 && !entity.isScoped
    }
  }

  // MARK: Records that are left out

  /// The state of an import before a record, for a record that is left out.
  struct Savepoint {
    fileprivate let tally: ImportTally.State
    fileprivate let noteCount: Int
    fileprivate let repeated: RepeatedMembers
    fileprivate let forward: ForwardReferences.Counts
    fileprivate let buriedCount: Int
    fileprivate let restCount: Int
  }

  /// Begins a record that may be left out.
  func beginRecord() throws -> Savepoint {
    tally.begin()
    try graph.begin()
    return Savepoint(
      tally: tally.state, noteCount: log.noteCount, repeated: linker.repeated,
      forward: references.counts, buriedCount: tombstones?.count ?? 0,
      restCount: pendingRests?.count ?? 0)
  }

  /// Undoes a record that is left out.
  func undoRecord(to point: Savepoint) {
    tally.forgetMet()
    graph.rollBack()
    tally.restore(point.tally)
    resolver.repeats.removeAll()
    missingMembers?.removeAll()
    // The shared objects may have been made by the record that was undone.
    if matcher.hasPlaces { matcher.shared.forgetGraph() }
    log.removeNotes(to: point.noteCount)
    linker.removeRepeated(to: point.repeated)
    references.removeLast(to: point.forward)
    tombstones?.removeLast(to: point.buriedCount)
    pendingRests?.removeLast(to: point.restCount)
  }
}

/// The steps of a plan, with the policies of a call.
private final class CallSteps {
  let steps: PlanPart<StepPlan>
  /// Whether the steps are copies, since the call has policies of its own.
  private let isOwn: Bool

  init(_ plan: Plan, policies: Policies, isOwn: Bool, createsObjects: Bool) {
    self.isOwn = isOwn
    guard isOwn else {
      steps = plan.steps
      return
    }
    steps = PlanPart(.allocate(capacity: max(plan.stepCount, 1)))
    steps.pointer.initialize(from: plan.steps.pointer, count: plan.stepCount)
    for step in 0..<plan.stepCount {
      steps.pointer[step].policies.adopt(policies)
      if steps.pointer[step].policies.emptyText == .null { steps.pointer[step].readEmptyAsNull() }
      let unknown = steps.pointer[step].policies.unknownIdentifier
      if !createsObjects && unknown == .placeholder {
        steps.pointer[step].policies.unknownIdentifier = .skip
      }
    }
  }

  /// Returns the links whose missing members the steps delete; nil without any.
  func watchedLinks(_ plan: Plan, tableCount: Int) -> WatchedLinks? {
    if !isOwn { return plan.watchedLinks }
    return WatchedLinks(
      steps, count: plan.stepCount, of: plan.entities, tableCount: tableCount)
  }

  deinit { if isOwn { steps.deallocate() } }
}
