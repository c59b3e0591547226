/// How an object is reached: along which relationship, and what may be done to it.
///
/// The relationship is a part of the identity of objects that are identified within their parent.
struct Scope {
  private(set) var link: Int32
  /// The side of the parent.
  private(set) var side: UInt8
  /// What becomes of an identifier that names no object.
  let unknownIdentifier: Policies.UnknownIdentifier
  /// What becomes of an object without identity where the entity has one.
  var unidentified = Unidentified.insert
  private(set) var ignoresInverse: Bool
  /// The parent's row + 1.
  private(set) var row: UInt32
  /// The row + 1 of the object that the relationship leads to so far, when it may be filled.
  var current: UInt32 = 0
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
  init(_ step: StepPlan, _ row: UInt32, _ operations: ImportOperations) {
    link = step.field.link
    side = step.field.side
    self.row = row &+ 1
    self.operations = operations
    unknownIdentifier = step.policies.unknownIdentifier
    ignoresInverse = step.options.contains(.ignoresInverse)
    if step.options.contains(.skipsUnidentified) { unidentified = .skip }
    if step.options.contains(.reusesUnidentified) { unidentified = .reuse }
    if step.options.contains(.alwaysInserts) { self.operations.insertsUnidentified = true }
  }

  /// No relationship: the object stands at the top.
  @inline(__always)
  init(_ unknownIdentifier: Policies.UnknownIdentifier, _ operations: ImportOperations) {
    link = -1
    side = 0
    row = 0
    ignoresInverse = false
    self.unknownIdentifier = unknownIdentifier
    self.operations = operations
  }

  /// Has objects at the top count as reached from a parent.
  mutating func standUnder(_ parent: SyncScope.ParentLink) {
    link = parent.field.link
    side = 1 - parent.field.side
    row = parent.parent.row + 1
    ignoresInverse = true
  }
}

/// What may be done to objects that JSON objects stand for.
struct ImportOperations {
  /// Whether those that are not there are made.
  var inserts: Bool
  /// Whether those that are there are changed.
  var updates: Bool
  /// Whether those that nothing could find are made.
  var insertsUnidentified: Bool
}
