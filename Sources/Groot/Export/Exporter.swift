/// Writes objects as JSON by the outputs of a plan.
///
/// What is being written is a stack of frames, so that no graph is too deep for it. It ends on every
/// graph: the inverse of the relationship being followed is left out; an object that is being
/// written higher up, and on relationships that can lead back to themselves one that was written
/// before under the same top-level object, is written as its identity alone (left out when it has
/// none). Objects without identity are written again where several others lead to them, up to a
/// limit.
package final class Exporter {
  let graph: Graph
  let mapping: Mapping
  let plan: Plan
  let writer: JSONWriter
  /// Where reverse functions find and leave their values.
  let tape = JSONTape()
  @exclusivity(unchecked) private var frames = Buffer<ExportFrame>()
  /// The rows that were written under the present top-level object, where that matters.
  @exclusivity(unchecked) private var written = Buffer<WrittenRow>()
  /// How often objects without identity were written again under the present top-level object.
  private var repeats = 0
  private static let maximumRepeats = 100_000
  /// How many steps along relationships objects are written in full.
  private let depthLimit: Int
  private var filter: PropertyFilter?
  /// The properties of the top-level object that are written, when not all are.
  private var chosen: Set<UInt16>?
  /// The number of arrays and objects that are open.
  @exclusivity(unchecked) private var depth = 0

  init(graph: Graph, mapping: Mapping, writer: JSONWriter, options: ExportOptions) {
    depthLimit = options.depth.map { max($0, 0) } ?? Int.max
    filter = options.properties.map { PropertyFilter($0, mapping.model) }
    self.graph = graph
    self.mapping = mapping
    self.plan = mapping.plan
    self.writer = writer
  }

  deinit {
    frames.deallocate()
    written.deallocate()
  }

  /// Writes objects as an array.
  package func write(_ objects: UnsafeBufferPointer<ObjectID>) throws {
    beginArray()
    for object in objects {
      try writeObject(object)
      try writer.checkpoint()
    }
    endArray()
  }

  /// Writes one object and all that its plan leads to.
  package func write(_ object: ObjectID) throws { try writeObject(object) }

  private func writeObject(_ object: ObjectID) throws {
    let record = try graph.record(object)
    chosen = try filter?.numbers(graph.entity(object.table, record))
    defer { forget() }
    repeats = 0
    push(table: object.table, row: object.row, arrivedBy: -1, side: 0)
    while frames.count > 0 { try advance(frames.start + (frames.count &- 1)) }
  }

  /// Takes all marks off, also those of a writing that failed.
  private func forget() {
    for index in 0..<frames.count {
      let frame = frames.start[index]
      graph.tables[Int(frame.table)].header(frame.row).pointee.state &= ~RecordState.exporting
    }
    frames.removeLast(to: 0)
    for index in 0..<written.count {
      let row = written.start[index]
      graph.tables[Int(row.table)].header(row.row).pointee.state &= ~RecordState.exported
    }
    written.removeLast(to: 0)
  }

  // MARK: Frames

  /// Begins the writing of an object.
  private func push(table: Int, row: UInt32, arrivedBy link: Int32, side: UInt8) {
    let header = graph.tables[table].header(row)
    let number = Int(graph.entityNumbers[table][Int(header.pointee.entity)])
    header.pointee.state |= RecordState.exporting
    let entity = plan.entities + number
    if entity.pointee.isRecursive && header.pointee.state & RecordState.exported == 0 {
      header.pointee.state |= RecordState.exported
      written.append(WrittenRow(table: Int32(truncatingIfNeeded: table), row: row))
    }
    frames.append(
      ExportFrame(
        table: Int32(truncatingIfNeeded: table), row: row,
        next: entity.pointee.firstOutput,
        end: entity.pointee.firstOutput &+ entity.pointee.outputCount, link: link, side: side,
        isInList: false, member: 0))
    beginObject()
  }

  private func pop() {
    let frame = frames.start[frames.count &- 1]
    graph.tables[Int(frame.table)].header(frame.row).pointee.state &= ~RecordState.exporting
    frames.removeLast(to: frames.count &- 1)
    endObject()
  }

  /// Goes on with the innermost object until it is complete or another begins inside it.
  private func advance(_ frame: UnsafeMutablePointer<ExportFrame>) throws {
    if frame.pointee.isInList, try advanceList(frame) { return }
    let table = Int(frame.pointee.table)
    let row = frame.pointee.row
    while frame.pointee.next < frame.pointee.end {
      let output = plan.outputs + Int(frame.pointee.next)
      frame.pointee.next &+= 1
      if chosen != nil && frames.count == 1 && !isChosen(output, frame.pointee.end) { continue }
      switch output.pointee.kind {
      case .open:
        key(output)
        beginObject()
      case .close: endObject()
      case .value:
        let step = plan.steps + Int(output.pointee.step)
        if step.pointee.destination < 0 {
          key(output)
          try writeAttribute(step, graph.tables[table].record(row), table)
        } else if isWayBack(step, frame) {
          continue
        } else if step.pointee.field.isToMany {
          key(output)
          beginArray()
          frame.pointee.isInList = true
          frame.pointee.member =
            graph.listHead(graph.links[Int(step.pointee.link)], step.pointee.field.side, row)
            .pointee.first
          if try advanceList(frame) { return }
        } else if try writeToOne(step, output, row) {
          return
        }
      }
    }
    pop()
  }

  /// Whether an output is, or is around, a property that is to be written.
  private func isChosen(_ output: UnsafeMutablePointer<OutputOperation>, _ end: Int32) -> Bool {
    guard let chosen else { return true }
    switch output.pointee.kind {
    case .value: return chosen.contains(plan.steps[Int(output.pointee.step)].field.number)
    case .open, .close:
      // From the bracket at hand to its partner.
      let step = output.pointee.kind == .open ? 1 : -1
      var other = output
      var level = 0
      repeat {
        switch other.pointee.kind {
        case .open: level += 1
        case .close: level -= 1
        case .value:
          if chosen.contains(plan.steps[Int(other.pointee.step)].field.number) { return true }
        }
        other += step
      } while level != 0
      return false
    }
  }

  /// Whether a relationship leads back to where the object was reached from.
  @inline(__always)
  private func isWayBack(
    _ step: UnsafeMutablePointer<StepPlan>, _ frame: UnsafeMutablePointer<ExportFrame>
  ) -> Bool {
    guard frame.pointee.link == step.pointee.link else { return false }
    return graph.links[Int(step.pointee.link)].isSymmetric
      ? false : step.pointee.field.side != frame.pointee.side
  }

  /// Writes members of the list at hand; true when a member begins that is to be completed first.
  @inline(__always)
  private func advanceList(_ frame: UnsafeMutablePointer<ExportFrame>) throws -> Bool {
    let output = plan.outputs + Int(frame.pointee.next &- 1)
    let step = plan.steps + Int(output.pointee.step)
    let link = graph.links[Int(step.pointee.link)]
    let side = step.pointee.field.side
    let table = link.table(1 &- side)
    while frame.pointee.member != 0 {
      let row: UInt32
      if link.kind == .oneToMany {
        row = frame.pointee.member &- 1
        frame.pointee.member = graph.memberSlot(link, row).pointee.next
      } else {
        let node = graph.linkTables[Int(step.pointee.link)].node(frame.pointee.member &- 1)
        row = node.pointee.row(1 &- side)
        frame.pointee.member = node.pointee.next(side)
      }
      if try begin(table, row, step, key: nil) { return true }
    }
    frame.pointee.isInList = false
    endArray()
    return false
  }

  /// Writes a to-one; true when its member begins.
  private func writeToOne(
    _ step: UnsafeMutablePointer<StepPlan>, _ output: UnsafeMutablePointer<OutputOperation>,
    _ row: UInt32
  ) throws -> Bool {
    let link = graph.links[Int(step.pointee.link)]
    let side = step.pointee.field.side
    let target = graph.target(link, side, row)
    if target == 0 {
      key(output)
      writer.null()
      return false
    }
    return try begin(link.table(1 &- side), target &- 1, step, key: output)
  }

  /// Begins an object that a relationship leads to; false when its identity, or nothing, stands for
  /// it.
  @inline(__always)
  private func begin(
    _ table: Int, _ row: UInt32, _ step: UnsafeMutablePointer<StepPlan>,
    key output: UnsafeMutablePointer<OutputOperation>?
  ) throws -> Bool {
    let state = graph.tables[table].header(row).pointee.state
    let isBehind =
      state & RecordState.exporting != 0 || frames.count > depthLimit
      || step.pointee.writesIdentifiers
    let isWritten = step.pointee.isRecursive && state & RecordState.exported != 0
    let hasRoom = depth < JanssonBridge.maxDepth - 32
    if !isBehind && !isWritten && hasRoom {
      if let output { key(output) }
      push(table: table, row: row, arrivedBy: step.pointee.link, side: step.pointee.field.side)
      return true
    }
    let record = graph.tables[table].record(row)
    let number = graph.entity(table, record)
    let entity = plan.entities + number
    if entity.pointee.identityCount > 0 {
      if let output { key(output) }
      if step.pointee.writesIdentifiers && entity.pointee.identityCount == 1 {
        let identity = Int(plan.identities[Int(entity.pointee.firstIdentity)])
        try writeAttribute(plan.steps + identity, record, table)
      } else {
        try writeIdentity(entity, record, table)
      }
      return false
    }
    if isBehind { return false }
    guard hasRoom else { throw tooDeep(number) }
    repeats += 1
    if repeats > Self.maximumRepeats { throw tooOften(number) }
    if let output { key(output) }
    push(table: table, row: row, arrivedBy: step.pointee.link, side: step.pointee.field.side)
    return true
  }

  private func tooOften(_ entity: Int) -> GrootError {
    GrootError(
      .limitExceeded,
      "the export would write objects again more than \(Self.maximumRepeats) times; give the "
        + "entity an identity, which can stand for an object that was written, or limit the depth",
      entity: graph.model.resolved[entity].name)
  }

  private func tooDeep(_ entity: Int) -> GrootError {
    GrootError(
      .limitExceeded,
      "the export would nest deeper than \(JanssonBridge.maxDepth) levels, and the object has no "
        + "identity that could stand for it", entity: graph.model.resolved[entity].name)
  }

  /// Writes an object of the identity attributes alone.
  private func writeIdentity(
    _ entity: UnsafeMutablePointer<EntityPlan>, _ record: UnsafeMutableRawPointer, _ table: Int
  ) throws {
    beginObject()
    for position in 0..<Int(entity.pointee.outputCount) {
      let output = plan.outputs + (Int(entity.pointee.firstOutput) + position)
      guard output.pointee.kind == .value || isAroundIdentity(entity, position) else { continue }
      switch output.pointee.kind {
      case .open:
        key(output)
        beginObject()
      case .close: endObject()
      case .value:
        let step = plan.steps + Int(output.pointee.step)
        guard step.pointee.isIdentity, step.pointee.destination < 0 else { continue }
        key(output)
        try writeAttribute(step, record, table)
      }
    }
    endObject()
  }

  /// Whether a nested object that begins or ends at an output holds an identity attribute.
  private func isAroundIdentity(
    _ entity: UnsafeMutablePointer<EntityPlan>, _ position: Int
  ) -> Bool {
    let outputs = plan.outputs + Int(entity.pointee.firstOutput)
    let isOpen = outputs[position].kind == .open
    var index = position
    var level = 0
    repeat {
      switch outputs[index].kind {
      case .open: level += 1
      case .close: level -= 1
      case .value: if plan.steps[Int(outputs[index].step)].isIdentity { return true }
      }
      index += isOpen ? 1 : -1
    } while level != 0 && index >= 0 && index < Int(entity.pointee.outputCount)
    return false
  }

  // MARK: Punctuation

  @inline(__always)
  private func key(_ output: UnsafeMutablePointer<OutputOperation>) {
    writer.raw(
      UnsafeBufferPointer(start: output.pointee.key, count: Int(output.pointee.keyLength)))
  }

  @inline(__always)
  private func beginObject() {
    writer.beginObject()
    depth &+= 1
  }

  @inline(__always)
  private func endObject() {
    writer.endObject()
    depth &-= 1
  }

  @inline(__always)
  private func beginArray() {
    writer.beginArray()
    depth &+= 1
  }

  @inline(__always)
  private func endArray() {
    writer.endArray()
    depth &-= 1
  }
}
