/// Writes objects as JSON by the outputs of a plan.
///
/// The output is a stack of frames, so that no graph is too deep for it. It ends on every graph.
/// The inverse of the relationship being followed is left out. An object that is being written
/// higher up is written as its identity alone. So is one that was written before under the same
/// top-level object, on relationships that can lead back to themselves. Objects without identity
/// are written again where several others lead to them, up to a limit. Beyond it, the relationship
/// is left out whole, since an import would take a part of it for all of it.
package final class Exporter {
  let graph: Graph
  /// The store that keeps the objects beyond the process; nil in memory.
  private let store: StoreCoordinator?
  let mapping: Mapping
  let plan: Plan
  let writer: JSONWriter
  /// Where reverse functions find and leave their values.
  let tape: JSONTape
  @exclusivity(unchecked) var frames: Buffer<ExportFrame>
  /// The rows that were written under the present top-level object, where that matters.
  @exclusivity(unchecked) var written: Buffer<ObjectKey>
  /// The members of lists that are written in an order of their own.
  @exclusivity(unchecked) var arranged: Buffer<ArrangedMember>
  /// Whether the object that begins stands under its key.
  @exclusivity(unchecked) var isKeyed = false
  /// Whether properties without a value are left out, where no annotation says.
  let omitsNull: Bool
  /// Where JSON that an attribute has is taken apart.
  lazy var valueTape = JSONTape(graph.memory)
  /// The text on it, when it holds the unmapped keys of an object.
  var loadedRest: UnsafePointer<UInt8>?
  /// How often objects without identity were written again under the present top-level object.
  var repeats = 0
  static let maximumRepeats = 100_000
  /// How many steps along relationships objects are written in full.
  let depthLimit: Int
  @exclusivity(unchecked) private var filter: OutputFilter?
  /// The outputs of the top-level object that are left out.
  @exclusivity(unchecked) private(set) var skipped: Set<Int32>?
  /// Which of the mapping's variants is written.
  let variant: Int
  /// How the elements are arranged.
  var form: CollectionForm
  /// Whether one of several objects is written, which has no key but the one it stands under.
  @exclusivity(unchecked) private var isArrayed = false
  /// Whether an identifier stands for the object, however the relationship writes others.
  @exclusivity(unchecked) var isNamedOnly = false
  /// Of a document, by plan, whether it has a root for the objects; empty when none is written.
  @exclusivity(unchecked) var rooted: [Bool] = []
  /// The key of the group that is being written.
  var openGroup: [UInt8]?
  /// The keys of elements so far, where they could be the same.
  let keys: KeyTable
  /// The keys of the members of the list that is arranged.
  lazy var listKeys = KeyTable(graph.memory)
  /// How many arrays and objects are around an element.
  var elementDepth: Int
  /// How dates are written, when not as the mapping says.
  let dateForm: DateForm?
  let writesLines: Bool
  package let callbackUserdata: UInt
  /// The object and the property whose value a function is given.
  @exclusivity(unchecked) var call: (record: UnsafeRawPointer, table: TableIndex, property: Int)?
  /// The number of arrays and objects that are open.
  @exclusivity(unchecked) var depth = 0
  /// How many more objects may be named by what stands for the present one.
  var ownersLeft = 0

  /// Makes an exporter.
  ///
  /// - Throws: ``Status/invalidArgument`` for what the mapping cannot write.
  init(
    graph: Graph, store: StoreCoordinator?, mapping: Mapping, writer: JSONWriter,
    options: ExportOptions
  ) throws {
    self.store = store
    depthLimit = options.depth.map { max($0, 0) } ?? Int.max
    writesLines = options.writesLines
    form = options.form
    keys = options.keys ?? KeyTable(graph.memory)
    elementDepth = options.writesLines ? 0 : options.form == .grouped ? 2 : 1
    if options.writesLines && options.form != .array {
      throw GrootError(.invalidArgument, "JSON Lines output cannot be keyed or grouped")
    }
    callbackUserdata = options.callbackUserdata
    omitsNull = (options.nulls ?? mapping.nulls) == .omit
    filter = OutputFilter(options)
    variant = try mapping.variant(options.style)
    dateForm = try options.dates.map { try DateForm($0) }
    self.graph = graph
    self.mapping = mapping
    self.plan = mapping.plan
    self.writer = writer
    // Last: a throw before all is set does not run `deinit`.
    tape = JSONTape(graph.memory)
    frames = Buffer(graph.memory)
    arranged = Buffer(graph.memory)
    written = Buffer(graph.memory)
    tape.describer = self
  }

  deinit {
    frames.deallocate()
    arranged.deallocate()
    written.deallocate()
  }

  /// Writes objects as an array, or each on a line.
  package func write(_ objects: UnsafeBufferPointer<ObjectID>) throws {
    begin()
    if form == .grouped {
      try grouped(objects).withUnsafeBufferPointer { try writeElements($0) }
    } else {
      try writeElements(objects)
    }
    end()
  }

  /// Begins the array or the object of the elements, where one is written.
  func begin() {
    if writesLines { return }
    if form == .array { beginArray() } else { beginObject() }
  }

  func end() {
    if writesLines { return }
    if openGroup != nil { endArray() }
    openGroup = nil
    if form == .array { endArray() } else { endObject() }
  }

  /// Writes objects as elements of the array that has begun, or each on a line.
  func writeElements(_ objects: UnsafeBufferPointer<ObjectID>) throws {
    depth = elementDepth
    isArrayed = true
    defer { isArrayed = false }
    for index in objects.indices {
      try read(objects, at: index)
      if form != .array { try writeElementKey(objects[index]) }
      try writeObject(objects[index])
      if writesLines { writer.endLine() }
      try writer.checkpoint()
    }
  }

  /// Writes one object and all that its plan leads to.
  package func write(_ object: ObjectID) throws {
    if let store { try read([object], from: store) }
    try writeObject(object)
  }

  /// Reads the window of objects that begins at an index from the store, if one does.
  @inline(__always)
  func read(_ objects: UnsafeBufferPointer<ObjectID>, at index: Int) throws {
    guard let store, index % Self.windowSize == 0 else { return }
    let end = min(index + Self.windowSize, objects.count)
    try read(Array(objects[index..<end])[...], from: store)
  }

  private func writeObject(_ object: ObjectID) throws {
    try graph.listener.count(bytes: writer.count)
    let record = try graph.record(object)
    let number = PlanIndex(of: graph.entity(record, in: object.table))
    if filter != nil {
      skipped = try filter?.skipped(plan, number: number, variant: variant, in: mapping.model)
    }
    defer { forget() }
    repeats = 0
    let key = ObjectKey(table: object.table, row: object.row)
    if plan.needsKeys, isArrayed, form == .array { try requireKey(number) }
    if try writeOfUnknownKind(key, number: number) { return }
    if let step = scalarStep(number, object: key),
      try writeScalar(step, of: key, isUnderKey: form == .keyed)
    {
      return
    }
    try push(
      key, number: number,
      range: plan.outputRanges[Int(plan.entities[number].firstRange) &+ variant], arrivedBy: .none,
      from: -1)
    while frames.count > 0 {
      try graph.cancellationMark.check()
      try advance(frames.start + (frames.count &- 1))
    }
  }

  /// Takes all marks off, also those of a writing that failed.
  private func forget() {
    for index in 0..<frames.count {
      let frame = frames.start[index]
      graph.tables[frame.object.table].header(frame.object.row).pointee.state &= ~RecordState
        .exporting
    }
    frames.removeLast(to: 0)
    arranged.removeLast(to: 0)
    for index in 0..<written.count {
      let row = written.start[index]
      graph.tables[row.table].header(row.row).pointee.state &= ~RecordState.exported
    }
    written.removeLast(to: 0)
  }

  // MARK: Punctuation

  @inline(__always)
  func key(_ output: PlanPart<OutputOperation>) {
    writer.raw(
      UnsafeBufferPointer(start: output.key, count: Int(output.keyLength)))
  }

  @inline(__always)
  func beginObject() {
    writer.beginObject()
    depth &+= 1
  }

  @inline(__always)
  func endObject() {
    writer.endObject()
    depth &-= 1
  }

  @inline(__always)
  func beginArray() {
    writer.beginArray()
    depth &+= 1
  }

  @inline(__always)
  func endArray() {
    writer.endArray()
    depth &-= 1
  }
}
