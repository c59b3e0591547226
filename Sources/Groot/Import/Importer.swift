/// Executes a plan: reads elements from a tape, and finds, makes, fills and links objects.
///
/// One importer serves one import. An object is first *resolved* (found by its identity, or made)
/// and later *filled*. Objects with relationships wait on a stack of frames, so that nested JSON
/// needs no recursion here. Frames are taken in document order, each before the frames that follow
/// it.
///
/// The variables are accessed for every value, and no two accesses overlap. The attribute
/// `exclusivity(unchecked)` therefore saves the calls that would check this.
package final class Importer {
  let graph: Graph
  /// The store of the objects; nil for objects in memory only.
  let store: StoreCoordinator?
  let mapping: Mapping
  let plan: Plan
  let tape: JSONTape
  let errorMode: ImportOptions.ErrorMode
  let maximumIssues: Int
  /// The progress function, with the records so far and the bytes at which it is called next.
  let progress: ((ImportProgress) throws -> Bool)?
  @exclusivity(unchecked) var records = 0
  @exclusivity(unchecked) var nextBytes = 1 << 22
  /// The plan's steps, with the policies of the call.
  let steps: PlanPart<StepPlan>
  private let ownsSteps: Bool

  /// The scope of top-level objects.
  @exclusivity(unchecked) var top: Scope
  /// The changes allowed to members of to-many relationships, and to those of to-ones.
  @exclusivity(unchecked) var memberOperations: ImportOperations
  let targetOperations: ImportOperations
  /// The number of nested lookups of owners.
  @exclusivity(unchecked) var ownerDepth = 0
  static let maximumOwnerDepth = 64

  let matcher: KeyMatcher
  /// Whether the positions or keys of objects are needed.
  let hasPlaces: Bool
  /// The place of the object being resolved, as far as paths need it.
  @exclusivity(unchecked) var place = Place()
  /// The values at places that many objects of the element have in common.
  @exclusivity(unchecked) var placed = PlacedValues()
  /// The enclosing object of the current records, if it is on the tape.
  @exclusivity(unchecked) var aroundRecords = TokenIndex.none
  /// The position in an array of an element without a text, and whether it is the document.
  @exclusivity(unchecked) var elementIndex = -1
  @exclusivity(unchecked) var isWholeDocument = false
  /// The whole document if it is on the tape; otherwise none.
  @exclusivity(unchecked) var document = TokenIndex.none
  /// The token at each key path of the current objects, or -1.
  @exclusivity(unchecked) var slots: Buffer<TokenIndex>
  /// The greatest number of slots: frames store slot numbers in 31 bits.
  @exclusivity(unchecked) var maximumSlots = Int(Int32.max)
  @exclusivity(unchecked) var frames: Buffer<ImportFrame>
  @exclusivity(unchecked) var members: Buffer<Row>
  /// The keys of the current collection.
  lazy var keyTable = KeyTable(graph.memory)
  /// The members that the current record removed from relationships under `deleteMissing`.
  @exclusivity(unchecked) var missingMembers: Buffer<MissingMember>
  /// The earlier marks of the objects that the current record met, if it may be left out.
  @exclusivity(unchecked) var met: Buffer<MetObject>
  /// The identity of the object being resolved.
  let key: UnsafeMutablePointer<StoredValue>
  /// The number of parts of the longest identity.
  let keyLength: Int
  /// The identity index of each plan's entity, made on demand.
  let indexes: UnsafeMutablePointer<UnsafeMutablePointer<IdentityIndex>?>
  /// Whether the store has each identity only once, by plan; empty until it is needed.
  @exclusivity(unchecked) var uniqueness: [Bool] = []
  /// The results of callbacks on the tape that replace other values.
  @exclusivity(unchecked) var synthesized: [SynthesizedValue] = []
  /// The paths of the element's tokens, made on demand.
  @exclusivity(unchecked) var paths = MessagePath.Index()
  /// The reader of the text; nil when the elements do not come from a text.
  var reader: JSONReader?
  /// The path of the element without a text: `$` or `$[3]`.
  @exclusivity(unchecked) var elementPath = "$"
  /// Whether members that are no longer listed are deleted where policies say so.
  @exclusivity(unchecked) var deletesMembers = true
  /// Whether relationships are left unchanged.
  @exclusivity(unchecked) var fillsAttributesOnly = false
  /// Whether the entries must be objects with an identity.
  @exclusivity(unchecked) var takesEntriesOnly = false
  /// The number of objects whose position changed.
  @exclusivity(unchecked) var moveCount = 0
  /// The changes of this import so far.
  @exclusivity(unchecked) var counts = ImportCounts()
  /// Whether the report lists each change.
  let listsChanges: Bool
  /// The issues of the current element, unless the first one ends the import.
  @exclusivity(unchecked) var issues: [GrootIssue] = []
  /// The issues of values that were left unchanged.
  @exclusivity(unchecked) var notes = ImportNotes()
  /// The missing objects that identifiers named; some of them may come later.
  @exclusivity(unchecked) var forward = ForwardReferences()
  /// Whether identifiers named missing objects.
  @exclusivity(unchecked) var hasForwardReferences = false
  /// The ways in which a plan's objects may have been named before, by plan; nil until needed.
  @exclusivity(unchecked) var namings: [[Naming]?] = []
  /// The placeholders that no record brought, with their issues for the report.
  var unbrought: [(object: ObjectID, issue: GrootIssue)] = []
  /// The number of objects that were removed at the end because a required member did not come.
  @exclusivity(unchecked) var lateFailures = 0
  /// Whether the report lists the objects that the import came across.
  let listsAccess: Bool
  /// The deletions that records ask for, and the texts of their identities.
  @exclusivity(unchecked) var buried: [BuriedObject] = []
  @exclusivity(unchecked) var buriedText: TextArena
  /// Whether a delete rule of the model may deny a deletion.
  private(set) lazy var deniesDeletions = graph.model.hierarchies.contains { hierarchy in
    hierarchy.properties.contains { $0.relationship?.deleteRule == .deny }
  }
  /// The unmapped keys that records add to those that objects already have.
  @exclusivity(unchecked) var rests: PendingRests
  /// The mapped values of the element that `@rest` nevertheless keeps.
  @exclusivity(unchecked) var namedRests = NamedRests()
  /// The withholding of deletions: whether it is requested and needed, and the kept objects.
  @exclusivity(unchecked) var withholdsDeletions = false
  @exclusivity(unchecked) var hasUnidentified = false
  @exclusivity(unchecked) var withheld: [ObjectID] = []
  /// The guard against too many deletions; nil without a limit.
  @exclusivity(unchecked) var deletionGuard: DeletionGuard?
  /// The objects that identifiers named; nil if the import does not delete objects.
  @exclusivity(unchecked) var named: NamedObjects?
  /// The links whose missing members are deleted, by hierarchy; nil without any.
  let watchedLinks: WatchedLinks?
  /// The objects that other relationships lead to, and those that top-level records brought.
  @exclusivity(unchecked) var linkedElsewhere: Set<ObjectKey> = []
  @exclusivity(unchecked) var given = GivenObjects()
  /// The objects of stale records, if the report lists them.
  @exclusivity(unchecked) var stale: [ObjectID] = []
  /// Whether records may delete objects, and the time that deletion marks get; nil without marks.
  @exclusivity(unchecked) var deletesBuried = true
  @exclusivity(unchecked) var deletionMark: Int64?
  /// The treatment of unmapped keys for entities without their own, and whether any are noted.
  let unknownKeys: UnknownKeys
  let looksForUnknownKeys: Bool
  @exclusivity(unchecked) var unknownKeyCounts = UnknownKeyCounts()
  @exclusivity(unchecked) var repeated = RepeatedMembers()
  /// The objects of nested records that were read before.
  @exclusivity(unchecked) var repeats: RepeatedRecords
  /// The objects that the import came across, if the report lists them.
  @exclusivity(unchecked) var accessed: Set<ObjectID>?
  /// The known spellings of unmapped keys.
  @exclusivity(unchecked) var spelled = SpelledKeys()
  /// A null for missing keys inside an existing object; -1 if the element has none.
  @exclusivity(unchecked) var missingLeaf = TokenIndex.none
  /// The state of the current record with respect to the limits for callbacks.
  @exclusivity(unchecked) var recordLimit = RecordLimit.kept
  /// The number of values that callbacks may add to a record besides those for its size.
  @exclusivity(unchecked) var synthesizedLimit = Importer.synthesizedValues
  /// The current call of a function.
  @exclusivity(unchecked) var call = Call()
  package let callbackUserdata: UInt
  /// Whether there are more issues than the options allow: an error is then thrown, not gathered.
  @exclusivity(unchecked) var hasTooMany = false
  /// The first error of a callback among those of the gathered issues.
  @exclusivity(unchecked) var cause: (any Error)?

  /// Makes an importer with the policies of its options.
  init(
    graph: Graph, store: StoreCoordinator?, mapping: Mapping, tape: JSONTape,
    options: ImportOptions, policies: Policies, unknownKeys: UnknownKeys
  ) {
    let operations = ImportOperations(
      inserts: options.createsObjects, updates: true,
      insertsUnidentified: options.createsObjects)
    top = Scope(
      options.createsObjects ? policies.unknownIdentifier : .skip, operations: operations)
    memberOperations = operations
    targetOperations = operations
    listsAccess = options.listsAccess
    self.unknownKeys = unknownKeys
    looksForUnknownKeys = unknownKeys != .ignore || mapping.plan.looksForUnknownKeys
    accessed = options.listsAccess ? [] : nil
    slots = Buffer(graph.memory, capacity: 256)
    frames = Buffer(graph.memory)
    members = Buffer(graph.memory)
    missingMembers = Buffer(graph.memory)
    met = Buffer(graph.memory)
    buriedText = TextArena(graph.memory)
    rests = PendingRests(graph.memory)
    repeats = RepeatedRecords(graph.memory)
    self.graph = graph
    self.store = store
    self.mapping = mapping
    self.plan = mapping.plan
    self.tape = tape
    errorMode = options.errorMode
    callbackUserdata = options.callbackUserdata
    maximumIssues = max(options.maximumIssues, 1)
    progress = options.progress ?? graph.listener.importHandler
    listsChanges = options.listsChanges || options.isDryRun
    ownsSteps = !options.policies.isEmpty || !options.createsObjects
    steps = ownsSteps ? PlanPart(.allocate(capacity: max(plan.stepCount, 1))) : plan.steps
    if ownsSteps { steps.pointer.initialize(from: plan.steps.pointer, count: plan.stepCount) }
    matcher = KeyMatcher(plan)
    hasPlaces =
      plan.hasPlaces || options.form != .array || mapping.roots.contains { $0.form != .array }
    keyLength = max(plan.identityNumbers.map(\.count).max() ?? 0, 1)
    key = .allocate(capacity: keyLength)
    key.initialize(repeating: .none, count: keyLength)
    indexes = .allocate(capacity: max(plan.entityCount, 1))
    indexes.initialize(repeating: nil, count: plan.entityCount)
    graph.beginEpoch()
    if ownsSteps {
      for step in 0..<plan.stepCount {
        steps.pointer[step].policies.adopt(policies)
        if steps.pointer[step].policies.emptyText == .null { steps.pointer[step].readEmptyAsNull() }
        let unknown = steps.pointer[step].policies.unknownIdentifier
        if !options.createsObjects && unknown == .placeholder {
          steps.pointer[step].policies.unknownIdentifier = .skip
        }
      }
    }
    watchedLinks =
      ownsSteps
      ? WatchedLinks(
        steps, count: plan.stepCount, of: plan.entities, tableCount: graph.tableIndices.count)
      : plan.watchedLinks
    if watchedLinks != nil || !plan.tombstones.isEmpty { named = NamedObjects(of: graph) }
    let readsAlone = !hasPlaces && !looksForUnknownKeys && !plan.hasForeignKeys && !listsAccess
    repeats.isOn = readsAlone && named == nil
    tape.describer = self
  }

  deinit {
    if ownsSteps { steps.deallocate() }
    matcher.deallocate()
    buriedText.removeAll()
    rests.removeAll()
    repeats.deallocate()
    slots.deallocate()
    frames.deallocate()
    members.deallocate()
    met.deallocate()
    missingMembers.deallocate()
    key.deallocate()
    indexes.deallocate()
  }

  /// Forgets the state of the previous element.
  func beginElement() {
    synthesized.removeAll(keepingCapacity: true)
    if !paths.isEmpty { paths = MessagePath.Index() }
    missingLeaf = .none
    if plan.hasRest { namedRests.removeAll() }
    recordLimit = .kept
    if hasPlaces {
      placed.removeAll()
      beginStanding()
    }
  }

  /// Completes the import after all elements are read.
  func finish() throws {
    if !rests.isEmpty { try mergeRests() }
    if hasForwardReferences { try resolveForwardReferences() }
    reportPlaceholders()
    if !buried.isEmpty { try deleteBuried() }
  }

  /// Imports the record at `token`; returns nil when it is null or invalid.
  ///
  /// An error is thrown, or gathered in ``issues``, depending on the error mode.
  func importRecord(at token: TokenIndex, into entity: PlanIndex) throws -> ObjectID? {
    slots.removeLast(to: 0)
    frames.removeLast(to: 0)
    members.removeLast(to: 0)
    var found = OptionalRow.none
    var scope = top
    if plan.entities[entity].notesUnidentified { scope.unidentified = .note }
    do {
      if takesEntriesOnly && !isEntry(token, entity: entity) {
        throw failure(
          .wrongShape, "\(shown(token)) is not an entry; an entry is an object or an identifier",
          token: token)
      }
      found = try resolveRecord(token, entity: entity, scope: scope)
    } catch {
      if takesEntriesOnly && isAlone(token) { throw aboutLoneEntry(error) }
      if scope.unidentified == .note && noteEntry(error, token: token) {
        hasUnidentified = true
      } else {
        try gather(error)
      }
    }
    var passed = 0
    while frames.count > 0 {
      try graph.cancellationMark.check()
      try passFrame(&passed)
      try graph.checkMemory()
      let frame = frames.start[frames.count &- 1]
      frames.removeLast(to: frames.count &- 1)
      let waiting = frames.count
      try fill(frame)
      frames.reverse(from: waiting)
    }
    let table = plan.entities[entity].table
    guard let row = found.index, graph.tables[table].isLive(row) else { return nil }
    return graph.tables[table].id(row)
  }
}
