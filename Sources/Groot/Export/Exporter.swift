/// Writes objects as JSON by the outputs of a plan.
///
/// The output uses a stack of frames, so that deep graphs do not need deep recursion. It ends for
/// every graph, by these rules:
/// - The inverse of the current relationship is left out.
/// - An object that is an ancestor in the output is written as its identity.
/// - So is an object already written under the same top-level object, if the relationship can lead
///   back to itself.
/// - An object without an identity is written for each relationship to it, up to a limit. Beyond
///   the limit the whole relationship is left out, since an import would take a part for the whole.
package final class Exporter {
  let graph: Graph
  /// The store of the objects; nil for objects in memory only.
  private let store: StoreCoordinator?
  let mapping: Mapping
  let plan: Plan
  let writer: JSONWriter
  /// The tape with the arguments and results of reverse functions.
  let tape: JSONTape
  @exclusivity(unchecked) var frames: Buffer<ExportFrame>
  /// The objects written under the current top-level object, if repeats are possible.
  @exclusivity(unchecked) var written: Buffer<ObjectKey>
  /// The members of lists that are not written in their own order.
  @exclusivity(unchecked) var arranged: Buffer<ArrangedMember>
  /// Whether the next object is written under its key.
  @exclusivity(unchecked) var isKeyed = false
  /// Whether missing values are left out if no annotation decides.
  let omitsNull: Bool
  /// The tape for the JSON in attributes.
  lazy var valueTape = JSONTape(graph.memory)
  /// The text on that tape if it is the unmapped keys of an object.
  var loadedRest: UnsafePointer<UInt8>?
  /// The number of repeats of objects without identity under the current top-level object.
  var repeats = 0
  static let maximumRepeats = 100_000
  /// The number of steps along relationships within which objects are written in full.
  let depthLimit: Int
  @exclusivity(unchecked) private var filter: OutputFilter?
  /// The outputs of the top-level object that are skipped.
  @exclusivity(unchecked) private(set) var skipped: Set<Int32>?
  /// The variant of the mapping's outputs that is written.
  let variant: Int
  /// The arrangement of the elements.
  var form: CollectionForm
  /// Whether the object is one of several, whose only key can be that of the collection.
  @exclusivity(unchecked) private var isArrayed = false
  /// Whether the object is written as an identifier, whatever the form of the relationship.
  @exclusivity(unchecked) var isNamedOnly = false
  /// Whether an entity has a root in the current document, by plan; empty without a document.
  @exclusivity(unchecked) var rooted: [Bool] = []
  /// The key of the current group.
  var openGroup: [UInt8]?
  /// The keys of the elements so far, if two could be the same.
  let keys: KeyTable
  /// The keys of the members of the current list.
  lazy var listKeys = KeyTable(graph.memory)
  /// The number of arrays and objects around an element.
  var elementDepth: Int
  /// The form of dates; nil for that of the mapping.
  let dateForm: DateForm?
  let writesLines: Bool
  package let callbackUserdata: UInt
  /// The object and the property of the current call of a function.
  @exclusivity(unchecked) var call: (record: UnsafeRawPointer, table: TableIndex, property: Int)?
  /// The number of open arrays and objects.
  @exclusivity(unchecked) var depth = 0
  /// The number of owners that the current stand-in may still have.
  var ownersLeft = 0

  /// Makes an exporter.
  ///
  /// - Throws: ``Status/invalidArgument`` for a form that the mapping cannot write.
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
    // Last: an error before all properties are set does not run `deinit`.
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

  /// Writes objects as an array, or as lines.
  package func write(_ objects: UnsafeBufferPointer<ObjectID>) throws {
    begin()
    if form == .grouped {
      try grouped(objects).withUnsafeBufferPointer { try writeElements($0) }
    } else {
      try writeElements(objects)
    }
    end()
  }

  /// Begins the array or the object of the elements, if there is one.
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

  /// Writes objects as elements of the open array, or as lines.
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

  /// Writes one object with its relationships.
  package func write(_ object: ObjectID) throws {
    if let store { try read([object], from: store) }
    try writeObject(object)
  }

  /// Reads the window of objects that begins at an index from the store, if there is one.
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

  /// Removes all marks, including those of a failed export.
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
