/// Executes a plan: reads elements from a tape and finds, makes, fills and links objects.
///
/// One importer serves one import. An object is first *resolved* (found by its identity, or made)
/// and later *filled*: objects that lead to others wait on a stack of frames, so that nesting in
/// the JSON needs no recursion here. Frames are taken in document order, each before what follows
/// it.
///
/// Its variables are touched for every value and no access overlaps another:
/// `exclusivity(unchecked)` spares the calls that would check it.
package final class Importer {
  let graph: Graph
  /// The store that keeps the objects beyond the process; nil in memory.
  let store: StoreCoordinator?
  let mapping: Mapping
  let plan: Plan
  let tape: JSONTape
  let errorMode: ImportOptions.ErrorMode
  let maximumIssues: Int
  /// The observer of the import's progress, after so many records and after so many bytes.
  let progress: ((ImportProgress) throws -> Bool)?
  @exclusivity(unchecked) var records = 0
  @exclusivity(unchecked) var nextBytes = 1 << 22
  /// The plan's steps, with the policies that the call asks for.
  let steps: PlanPart<StepPlan>
  private let ownsSteps: Bool

  /// The scope of top-level objects.
  @exclusivity(unchecked) var top: Scope
  /// The changes allowed to objects given as members of to-many relationships, and to others.
  @exclusivity(unchecked) var memberOperations: ImportOperations
  let targetOperations: ImportOperations
  /// How many owners of owners are being looked up.
  @exclusivity(unchecked) var ownerDepth = 0
  static let maximumOwnerDepth = 64

  let matcher: KeyMatcher
  /// Whether it matters where objects stand: paths begin there, or records have keys.
  let hasPlaces: Bool
  /// Where the object that is resolved stands, as far as paths ask for it.
  @exclusivity(unchecked) var place = Place()
  /// The objects read at places that many objects of the element have in common.
  @exclusivity(unchecked) var placed = PlacedValues()
  /// The object around the records that are read, when it is on the tape.
  @exclusivity(unchecked) var aroundRecords = TokenIndex.none
  /// The element's position in an array, and whether it is the whole document, when there is no text.
  @exclusivity(unchecked) var elementIndex = -1
  @exclusivity(unchecked) var isWholeDocument = false
  /// The whole document, when it is on the tape; none when it is not.
  @exclusivity(unchecked) var document = TokenIndex.none
  /// For each key path of the current objects, the token it led to, or -1.
  @exclusivity(unchecked) var slots: Buffer<TokenIndex>
  /// How many of them there may be: frames keep their numbers in 31 bits.
  @exclusivity(unchecked) var maximumSlots = Int(Int32.max)
  @exclusivity(unchecked) var frames: Buffer<ImportFrame>
  @exclusivity(unchecked) var members: Buffer<Row>
  /// The keys of the collection that is read.
  lazy var keyTable = KeyTable(graph.memory)
  /// The members that the current record left out of relationships whose missing members are to be
  /// deleted.
  @exclusivity(unchecked) var missingMembers: Buffer<MissingMember>
  /// How the marks were of the objects that the current record met, when it may be left out.
  @exclusivity(unchecked) var met: Buffer<MetObject>
  /// The identity of the object being resolved.
  let key: UnsafeMutablePointer<StoredValue>
  /// The parts of the longest identity there is.
  let keyLength: Int
  /// The identity index of each plan's entity, once it was needed.
  let indexes: UnsafeMutablePointer<UnsafeMutablePointer<IdentityIndex>?>
  /// By plan, whether the store has each identity once; empty until it was asked.
  @exclusivity(unchecked) var uniqueness: [Bool] = []
  /// The results of callbacks on the tape in place of other values.
  @exclusivity(unchecked) var synthesized: [SynthesizedValue] = []
  /// The paths of the element's tokens, as far as they were asked for.
  @exclusivity(unchecked) var paths = JSONPathIndex()
  /// The text the elements come from; nil when they do not come from a text.
  var reader: JSONReader?
  /// Where the element is when there is no text: `$` or `$[3]`.
  @exclusivity(unchecked) var elementPath = "$"
  /// Whether members that are not listed any more are deleted, where policies say so.
  @exclusivity(unchecked) var deletesMembers = true
  /// Whether relationships are left alone.
  @exclusivity(unchecked) var fillsAttributesOnly = false
  /// Whether the entries are to be objects with an identity.
  @exclusivity(unchecked) var takesEntriesOnly = false
  /// How many objects came at another position than they had.
  @exclusivity(unchecked) var moveCount = 0
  /// The changes of this import so far.
  @exclusivity(unchecked) var counts = ImportCounts()
  /// Whether the report is to list each change.
  let listsChanges: Bool
  /// The issues of the current element, unless the first one ends the import.
  @exclusivity(unchecked) var issues: [GrootIssue] = []
  /// The issues of values that were left as they were.
  @exclusivity(unchecked) var notes = ImportNotes()
  /// The missing objects that identifiers named; some of them may still come.
  @exclusivity(unchecked) var forward = ForwardReferences()
  /// Whether identifiers named what was not there.
  @exclusivity(unchecked) var hasForwardReferences = false
  /// By plan, how objects that its records bring may have been named before; nil when nobody asked.
  @exclusivity(unchecked) var namings: [[Naming]?] = []
  /// The placeholders that no record brought, and what the report says of them.
  var unbrought: [(object: ObjectID, issue: GrootIssue)] = []
  /// The number of objects that were dropped in the end, since a required member did not come.
  @exclusivity(unchecked) var lateFailures = 0
  /// Whether the report is to list what the import came across.
  let listsAccess: Bool
  /// The deletions that records have asked for, and the texts of their identities.
  @exclusivity(unchecked) var buried: [BuriedObject] = []
  @exclusivity(unchecked) var buriedText: TextArena
  /// Whether a delete rule of the model may forbid a deletion.
  private(set) lazy var deniesDeletions = graph.model.hierarchies.contains { hierarchy in
    hierarchy.properties.contains { $0.relationship?.deleteRule == .deny }
  }
  /// The unmapped keys that records add to those which objects keep.
  @exclusivity(unchecked) var rests: PendingRests
  /// Values of the element that `@rest` keeps though paths name them.
  @exclusivity(unchecked) var namedRests = NamedRests()
  /// Of a synchronization: whether deletions wait for all entries to be identified, whether one was
  /// not, and the objects that stay for that reason.
  @exclusivity(unchecked) var withholdsDeletions = false
  @exclusivity(unchecked) var hasUnidentified = false
  @exclusivity(unchecked) var withheld: [ObjectID] = []
  /// The objects that identifiers named; nil when nothing is deleted.
  @exclusivity(unchecked) var named: NamedObjects?
  /// The links along which members that go missing are deleted, by hierarchy; nil when there are none.
  let watchedLinks: WatchedLinks?
  /// The objects that other relationships than those lead to, and that top-level records brought.
  @exclusivity(unchecked) var linkedElsewhere: Set<ObjectKey> = []
  @exclusivity(unchecked) var given = GivenObjects()
  /// The objects of records that were older, when the report is to list them.
  @exclusivity(unchecked) var stale: [ObjectID] = []
  /// Whether that is done, and when it is done by marks, the time that these say.
  @exclusivity(unchecked) var deletesBuried = true
  @exclusivity(unchecked) var deletionMark: Int64?
  /// The treatment of unmapped keys, where no entity says it; and whether any does.
  let unknownKeys: UnknownKeys
  let looksForUnknownKeys: Bool
  @exclusivity(unchecked) var unknownKeyCounts = UnknownKeyCounts()
  @exclusivity(unchecked) var repeated = RepeatedMembers()
  /// The objects that the import came across, when the report is to list them.
  @exclusivity(unchecked) var accessed: Set<ObjectID>?
  /// The findings about unmapped keys.
  @exclusivity(unchecked) var spelled = SpelledKeys()
  /// A null, for missing keys inside an existing object; -1 when the element has none.
  @exclusivity(unchecked) var missingLeaf = TokenIndex.none
  /// Whether callbacks keep within their limits for the current record.
  @exclusivity(unchecked) var recordLimit = RecordLimit.kept
  /// How many values callbacks may add to a record, beyond those it is allowed for its size.
  @exclusivity(unchecked) var synthesizedLimit = Importer.synthesizedValues
  /// The function that is being called.
  @exclusivity(unchecked) var call = Call()
  package let callbackUserdata: UInt
  /// Whether there are more issues than the options allow: an error is then thrown, not gathered.
  @exclusivity(unchecked) var hasTooMany = false
  /// The error of the first of the callbacks that led to gathered issues.
  @exclusivity(unchecked) var cause: (any Error)?

  /// Makes an importer; `policies` are those that the options ask for.
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
    tape.describer = self
  }

  deinit {
    if ownsSteps { steps.deallocate() }
    matcher.deallocate()
    buriedText.removeAll()
    rests.removeAll()
    slots.deallocate()
    frames.deallocate()
    members.deallocate()
    met.deallocate()
    missingMembers.deallocate()
    key.deallocate()
    indexes.deallocate()
  }

  /// Forgets what belonged to the element that was on the tape before.
  func beginElement() {
    synthesized.removeAll(keepingCapacity: true)
    if !paths.isEmpty { paths = JSONPathIndex() }
    missingLeaf = .none
    if plan.hasRest { namedRests.removeAll() }
    recordLimit = .kept
    if hasPlaces {
      placed.removeAll()
      beginStanding()
    }
  }

  /// Does what had to wait until everything was read.
  func finish() throws {
    if !rests.isEmpty { try mergeRests() }
    if hasForwardReferences { try resolveForwardReferences() }
    reportPlaceholders()
    if !buried.isEmpty { try deleteBuried() }
  }

  /// Imports the record at `token`; nil when it is null, or wrong.
  ///
  /// An error is thrown, or gathered in ``issues``, as the error mode says.
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
