/// Writes objects as JSON by the outputs of a plan.
///
/// What is being written is a stack of frames, so that no graph is too deep for it. It ends on every
/// graph: the inverse of the relationship being followed is left out; an object that is being
/// written higher up, and on relationships that can lead back to themselves one that was written
/// before under the same top-level object, is written as its identity alone. Objects without
/// identity are written again where several others lead to them, up to a limit; where they cannot
/// be, the relationship is left out whole, since an import would take a part of it for all of it.
package final class Exporter {
  let graph: Graph
  /// What keeps the objects beyond the process; nil in memory.
  private let store: StoreCoordinator?
  let mapping: Mapping
  let plan: Plan
  let writer: JSONWriter
  /// Where reverse functions find and leave their values.
  let tape = JSONTape()
  @exclusivity(unchecked) private(set) var frames: Buffer<ExportFrame>
  /// The rows that were written under the present top-level object, where that matters.
  @exclusivity(unchecked) private var written: Buffer<WrittenRow>
  /// How often objects without identity were written again under the present top-level object.
  private var repeats = 0
  static let maximumRepeats = 100_000
  /// How many steps along relationships objects are written in full.
  let depthLimit: Int
  private var filter: OutputFilter?
  /// The outputs of the top-level object that are left out.
  private(set) var skipped: Set<Int32>?
  /// Which of the mapping's variants is written.
  let variant: Int
  /// How dates are written, when not as the mapping says.
  let dateForm: DateForm?
  private let writesLines: Bool
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
    filter = OutputFilter(options)
    variant = try mapping.variant(options.style)
    dateForm = try options.dates.map { try DateForm($0) }
    self.graph = graph
    self.mapping = mapping
    self.plan = mapping.plan
    self.writer = writer
    // Last: what throws before all is set does not run `deinit`.
    frames = Buffer()
    written = Buffer()
  }

  deinit {
    frames.deallocate()
    written.deallocate()
  }

  /// Writes objects as an array, or each on a line.
  package func write(_ objects: UnsafeBufferPointer<ObjectID>) throws {
    begin()
    try writeElements(objects)
    end()
  }

  /// Begins the array, where one is written.
  func begin() {
    if !writesLines { beginArray() }
  }

  func end() {
    if !writesLines { endArray() }
  }

  /// Writes objects as elements of the array that has begun, or each on a line.
  func writeElements(_ objects: UnsafeBufferPointer<ObjectID>) throws {
    depth = writesLines ? 0 : 1
    for index in objects.indices {
      try read(objects, at: index)
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

  /// Reads the batch that begins at an index from the store, if one does.
  @inline(__always)
  private func read(_ objects: UnsafeBufferPointer<ObjectID>, at index: Int) throws {
    guard let store, index % Self.batchSize == 0 else { return }
    let end = min(index + Self.batchSize, objects.count)
    try read(Array(objects[index..<end])[...], from: store)
  }

  private func writeObject(_ object: ObjectID) throws {
    let record = try graph.record(object)
    let number = PlanIndex(of: graph.entity(record, in: object.table))
    skipped = try filter?.skipped(plan, number: number, variant: variant, in: mapping.model)
    defer { forget() }
    repeats = 0
    push(
      table: object.table, row: object.row, number,
      range: plan.outputRanges[Int(plan.entities[number].firstRange) &+ variant], arrivedBy: nil,
      from: -1)
    while frames.count > 0 {
      try graph.cancellation.check()
      try advance(frames.start + (frames.count &- 1))
    }
  }

  /// Takes all marks off, also those of a writing that failed.
  private func forget() {
    for index in 0..<frames.count {
      let frame = frames.start[index]
      graph.tables[frame.table].header(frame.row).pointee.state &= ~RecordState.exporting
    }
    frames.removeLast(to: 0)
    for index in 0..<written.count {
      let row = written.start[index]
      graph.tables[row.table].header(row.row).pointee.state &= ~RecordState.exported
    }
    written.removeLast(to: 0)
  }

  // MARK: Frames

  /// Begins the writing of an object, whose text, when it may be taken back, begins at `start`.
  private func push(
    table: TableIndex, row: Row, _ number: PlanIndex, range: OutputRange,
    arrivedBy step: UnsafeMutablePointer<StepPlan>?, from start: Int
  ) {
    let header = graph.tables[table].header(row)
    header.pointee.state |= RecordState.exporting
    let entity = plan.entities + number
    if entity.pointee.isRecursive && header.pointee.state & RecordState.exported == 0 {
      header.pointee.state |= RecordState.exported
      written.append(WrittenRow(table: table, row: row))
    }
    frames.append(
      ExportFrame(
        table: table, row: row, next: range.first,
        end: range.first &+ range.count, link: step?.pointee.link ?? .none,
        side: step?.pointee.field.side ?? .first, isInList: false, isPositional: range.isPositional,
        member: .none, memberIndex: 0, listStart: 0, start: start))
    if range.isPositional { beginArray() } else { beginObject() }
  }

  private func pop() {
    let frame = frames.start[frames.count &- 1]
    graph.tables[frame.table].header(frame.row).pointee.state &= ~RecordState.exporting
    frames.removeLast(to: frames.count &- 1)
    if frame.start >= 0 && writer.isBehindBracket {
      writer.truncate(to: frame.start)
      depth &-= 1
      if frames.count > 0, frames.start[frames.count &- 1].memberIndex > 0 {
        frames.start[frames.count &- 1].memberIndex &-= 1
      }
    } else if frame.isPositional {
      endArray()
    } else {
      endObject()
    }
  }

  /// Goes on with the innermost object until it is complete or another begins inside it.
  private func advance(_ frame: UnsafeMutablePointer<ExportFrame>) throws {
    if frame.pointee.isInList, try advanceList(frame) { return }
    let table = frame.pointee.table
    let row = frame.pointee.row
    while frame.pointee.next < frame.pointee.end {
      let output = plan.outputs + Int(frame.pointee.next)
      frame.pointee.next &+= 1
      if skipped != nil && frames.count == 1 && isSkipped(output) {
        let isPosition = frame.pointee.isPositional && output.pointee.keyLength == 0
        if isPosition && output.pointee.kind != .close { writer.null() }
        continue
      }
      switch output.pointee.kind {
      case .open:
        key(output)
        beginObject()
      case .close: endObject()
      case .gap: writer.null()
      case .ownersValue:
        guard frames.count > 1 else { continue }
        try writeOwnersValue(output, owner: frames.start + (frames.count &- 2))
      case .value:
        let step = plan.steps + Int(output.pointee.step)
        if step.pointee.destination.isNone {
          let record = graph.tables[table].record(row)
          if step.pointee.options.contains(.omitsNull),
            !graph.tables[table].has(step.pointee.field, in: record)
          {
            continue
          }
          key(output)
          try writeAttribute(step, record: record, table: table, part: output.pointee.part)
        } else if !frame.pointee.isPositional
          && isWayBack(step, arrivedBy: frame.pointee.link, side: frame.pointee.side)
        {
          continue
        } else if step.pointee.field.isToMany {
          if try beginList(step, output: output, frame: frame) { return }
        } else if try writeToOne(step, output: output, frame: frame) {
          return
        }
      }
    }
    pop()
  }

  func isSkipped(_ output: UnsafeMutablePointer<OutputOperation>) -> Bool {
    skipped?.contains(Int32(truncatingIfNeeded: output - plan.outputs)) == true
  }

  /// Whether a relationship leads back to where the object was reached from.
  @inline(__always)
  func isWayBack(
    _ step: UnsafeMutablePointer<StepPlan>, arrivedBy: LinkIndex, side: LinkSide
  ) -> Bool {
    guard arrivedBy == step.pointee.link, step.pointee.options.contains(.skipsWayBack)
    else { return false }
    return graph.links[step.pointee.link].isSymmetric
      ? false : step.pointee.field.side != side
  }

  /// What became of an object that a relationship leads to.
  enum Beginning {
    /// It has begun, and is to be completed first.
    case waits
    /// Its identity stands for it.
    case isDone
    /// Nothing was written, as nothing can stand for it.
    case isUntold
  }

  /// Begins an object that a relationship leads to, or writes what stands for it.
  @inline(__always)
  func begin(
    _ row: Row, in table: TableIndex, step: UnsafeMutablePointer<StepPlan>,
    key output: UnsafeMutablePointer<OutputOperation>?, merge: Int32 = -1, from position: Int
  ) throws -> Beginning {
    let state = graph.tables[table].header(row).pointee.state
    let start = step.pointee.options.contains(.omitsEmpty) ? position : -1
    let isExplicit = step.pointee.options.contains(.isExplicit)
    let isBehind =
      (state & RecordState.exporting != 0 && !isExplicit) || frames.count > depthLimit
      || step.pointee.writesIdentifiers
    let isWritten =
      step.pointee.isRecursive && state & RecordState.exported != 0 && !isExplicit
    let hasRoom = depth < JanssonBridge.maxDepth - 32
    let number = planNumber(row, in: table, step: step)
    if isBehind || isWritten || !hasRoom {
      let before = writer.position
      if let output { key(output) }
      if try writeStandIn(row, in: table, step: step, merge: merge) { return .isDone }
      writer.truncate(to: before)
      if isBehind { return .isUntold }
      guard hasRoom else { throw tooDeep(number) }
      repeats += 1
      if repeats > Self.maximumRepeats { throw tooOften(number) }
    }
    if let output { key(output) }
    push(
      table: table, row: row, number, range: outputRange(number, merge: merge), arrivedBy: step,
      from: start)
    return .waits
  }

  /// What is written of an object, with attributes of its owner where a to-one merges them.
  @inline(__always)
  func outputRange(_ number: PlanIndex, merge: Int32) -> OutputRange {
    if merge >= 0 {
      let merged = plan.mergedRanges[plan.mergedPlace(merge, number: number)]
      if merged >= 0 { return plan.outputRanges[Int(merged)] }
    }
    return plan.outputRanges[Int(plan.entities[number].firstRange) &+ variant]
  }

  /// The plan that an object which a relationship leads to is written by.
  @inline(__always)
  func planNumber(_ row: Row, in table: TableIndex, step: UnsafeMutablePointer<StepPlan>)
    -> PlanIndex
  {
    let destination = plan.entities + step.pointee.destination
    return destination.pointee.isFixed
      ? step.pointee.destination
      : PlanIndex(of: graph.entity(graph.tables[table].record(row), in: table))
  }

  // MARK: Punctuation

  @inline(__always)
  func key(_ output: UnsafeMutablePointer<OutputOperation>) {
    writer.raw(
      UnsafeBufferPointer(start: output.pointee.key, count: Int(output.pointee.keyLength)))
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
