/// The way to an object: the relationship that leads to it, and the changes allowed to it.
///
/// The relationship is part of the identity of objects that are identified within their parent.
struct Scope {
  private(set) var link: LinkIndex
  /// The side of the parent.
  private(set) var side: LinkSide
  /// The treatment of an identifier without an object.
  var unknownIdentifier: Policies.UnknownIdentifier
  /// The treatment of a record without an identity although the entity has one.
  var unidentified = Unidentified.insert
  private(set) var ignoresInverse: Bool
  /// The properties that exports write of the objects, in ``Plan/partials``; -1 for all.
  private(set) var partial: Int32 = -1
  /// The parent's row.
  private(set) var row: OptionalRow
  /// The current object of the relationship if it may be filled.
  var current = OptionalRow.none
  var operations: ImportOperations

  enum Unidentified: UInt8 {
    case insert
    /// The linked object is filled; a new one is made if there is none.
    case reuse
    /// The record is left out of a relationship, and the report notes it.
    case skip
    /// The record is left out as a whole, and the report notes it.
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

  /// Makes the scope of top-level objects.
  @inline(__always)
  init(_ unknownIdentifier: Policies.UnknownIdentifier, operations: ImportOperations) {
    link = .none
    side = .first
    row = .none
    ignoresInverse = false
    self.unknownIdentifier = unknownIdentifier
    self.operations = operations
  }

  /// Treats top-level objects as members of a parent.
  mutating func reach(from parent: SyncScope.ParentLink) {
    link = parent.field.link
    side = parent.field.side.inverse
    row = OptionalRow(parent.parent.row)
    ignoresInverse = true
  }
}

/// The changes allowed to objects that come as JSON objects.
struct ImportOperations {
  /// Whether missing objects are made.
  var inserts: Bool
  /// Whether existing objects are changed.
  var updates: Bool
  /// Whether objects without an identity are made.
  var insertsUnidentified: Bool
  /// Whether existing objects are only named, including those in their records.
  var names = false
}
