/// Objects that were only named so far: no record of them was read.
///
/// A record may still determine their entity, so an export writes only their names. This reads
/// records and the plan, and writes nothing.
struct PlaceholderOutputs {
  private let graph: Graph
  private let plan: Plan

  init(_ rules: ExportRules) {
    graph = rules.graph
    plan = rules.plan
  }

  /// Returns whether only the links and identity of an object are known.
  ///
  /// The object was only named, and a record may still determine its entity.
  func isOnlyNamed(_ object: ObjectKey, number: PlanIndex, range: OutputRange) -> Bool {
    let entity = plan.entities + number
    guard entity.hasKinds, entity.identityCount > 0, !range.isPositional else { return false }
    let table = graph.tables + object.table
    let record = table.pointee.record(object.row)
    let template = table.pointee.template(table.pointee.header(object.row).pointee.entity)
    // The end of the outermost nested object or array that is written.
    var writtenEnd = range.first
    for position in range.first..<range.first + range.count {
      let output = plan.outputs + Int(position)
      if output.kind == .open || output.kind == .openArray, position >= writtenEnd {
        let (end, hasName) = nested(at: position)
        if hasName { writtenEnd = end }
      }
      guard output.step >= 0 else { continue }
      let step = plan.steps + Int(output.step)
      let field = step.field
      if step.isIdentity || field.isRelationship { continue }
      let value = StoredValue(record, field: field, table: table)
      // A missing value inside an object counts as null there.
      let isCleared = entity.clearsMissingLeaves && position < writtenEnd
      let initial =
        isCleared ? StoredValue.none : StoredValue(template, field: field, table: table)
      if !value.equals(initial, storage: field.storage) { return false }
    }
    return true
  }

  /// Returns the end of the nested object or array at an output, and whether it has names.
  ///
  /// Anything but an attribute outside the identity counts as a name.
  private func nested(at first: Int32) -> (end: Int32, hasName: Bool) {
    var level = 0
    var hasName = false
    var position = first
    repeat {
      let output = plan.outputs + Int(position)
      switch output.kind {
      case .open, .openArray: level += 1
      case .close, .closeArray: level -= 1
      case .gap: break
      case .value:
        let step = plan.steps + Int(output.step)
        if step.isIdentity || step.field.isRelationship { hasName = true }
      default: hasName = true
      }
      position += 1
    } while level > 0
    return (position, hasName)
  }

  /// Returns whether an object that was only named leaves out a nested object or array.
  func namesNothing(at first: Int32) -> Bool { !nested(at: first).hasName }
}
