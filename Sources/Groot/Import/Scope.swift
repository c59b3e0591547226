/// How an object is reached: along which relationship, and what may be done to it.
///
/// The relationship is a part of the identity of objects that are identified within their parent.
struct Scope {
  private(set) var link: LinkIndex
  /// The side of the parent.
  private(set) var side: LinkSide
  /// The treatment of an identifier that names no object.
  var unknownIdentifier: Policies.UnknownIdentifier
  /// The treatment of an object without identity where the entity has one.
  var unidentified = Unidentified.insert
  private(set) var ignoresInverse: Bool
  /// The properties that exports write of its objects, in ``Plan/partials``; -1 for all.
  private(set) var partial: Int32 = -1
  /// The parent's row.
  private(set) var row: OptionalRow
  /// The object that the relationship leads to so far, when it may be filled.
  var current = OptionalRow.none
  var operations: ImportOperations

  enum Unidentified: UInt8 {
    case insert
    /// The object that is linked already is filled; one is made when none is.
    case reuse
    /// It is left out of a relationship, which the report notes.
    case skip
    /// It is left out as a whole record, which the report notes.
    case note
  }

  @inline(__always)
  init(_ step: StepPlan, row: Row, operations: ImportOperations) {
    link = step.field.link
    side = step.field.side
    self.row = OptionalRow(row)
    self.operations = operations
    unknownIdentifier = step.policies.unknownIdentifier
    ignoresInverse = step.options.contains(.ignoresInverse)
    partial = step.partial
    if step.options.contains(.skipsUnidentified) { unidentified = .skip }
    if step.options.contains(.reusesUnidentified) { unidentified = .reuse }
    if step.options.contains(.alwaysInserts) { self.operations.insertsUnidentified = true }
  }

  /// No relationship: the object is at the top.
  @inline(__always)
  init(_ unknownIdentifier: Policies.UnknownIdentifier, operations: ImportOperations) {
    link = .none
    side = .first
    row = .none
    ignoresInverse = false
    self.unknownIdentifier = unknownIdentifier
    self.operations = operations
  }

  /// Makes objects at the top count as reached from a parent.
  mutating func reach(from parent: SyncScope.ParentLink) {
    link = parent.field.link
    side = parent.field.side.inverse
    row = OptionalRow(parent.parent.row)
    ignoresInverse = true
  }
}

/// The changes allowed to objects that JSON objects describe.
struct ImportOperations {
  /// Whether missing ones are made.
  var inserts: Bool
  /// Whether existing ones are changed.
  var updates: Bool
  /// Whether those that nothing could find are made.
  var insertsUnidentified: Bool
  /// Whether existing ones are only named, and so are those in their records.
  var names = false
}
