// What stands for an object that is not written in full.

extension Exporter {
  func tooOften(_ entity: Int) -> GrootError {
    beyondLimit(
      entity,
      "the export would write objects again more than \(Self.maximumRepeats) times; give the "
        + "entity an identity, which can stand for an object that was written, or limit the depth")
  }

  func tooDeep(_ entity: Int) -> GrootError {
    beyondLimit(
      entity,
      "the export would nest deeper than \(JanssonBridge.maxDepth) levels, and the object has no "
        + "identity that could stand for it")
  }

  private func beyondLimit(_ entity: Int, _ message: String) -> GrootError {
    GrootError(
      .limitExceeded, message,
      entity: graph.model.resolved[Int(plan.entities[entity].entity)].name)
  }

  /// Writes an object of the identity attributes alone.
  func writeIdentity(
    _ entity: UnsafeMutablePointer<EntityPlan>, _ record: UnsafeMutableRawPointer, _ table: Int
  ) throws {
    let range = plan.outputRanges[Int(entity.pointee.firstRange) &+ variant]
    beginObject()
    for position in 0..<Int(range.count) {
      let output = plan.outputs + (Int(range.first) + position)
      switch output.pointee.kind {
      case .gap: continue
      case .open where isAroundIdentity(range, position):
        key(output)
        beginObject()
      case .close where isAroundIdentity(range, position): endObject()
      case .open, .close: continue
      case .value:
        let step = plan.steps + Int(output.pointee.step)
        guard step.pointee.isIdentity, step.pointee.destination < 0 else { continue }
        key(output)
        try writeAttribute(step, record, table, part: output.pointee.part)
      }
    }
    endObject()
  }

  /// Whether a nested object that begins or ends at an output holds an identity attribute.
  private func isAroundIdentity(_ range: OutputRange, _ position: Int) -> Bool {
    let outputs = plan.outputs + Int(range.first)
    let isOpen = outputs[position].kind == .open
    var index = position
    var level = 0
    repeat {
      switch outputs[index].kind {
      case .open: level += 1
      case .close: level -= 1
      case .gap: break
      case .value: if plan.steps[Int(outputs[index].step)].isIdentity { return true }
      }
      index += isOpen ? 1 : -1
    } while level != 0 && index >= 0 && index < Int(range.count)
    return false
  }
}
