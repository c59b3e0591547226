/// An object that was found or made, and waits to be filled.
struct ImportFrame {
  /// The token of the object, after all dictionary transformers.
  let token: TokenIndex
  /// The plan of the object's entity.
  let plan: PlanIndex
  let row: Row
  /// The position of the object's first slot.
  let slots: Int32
  /// The relationship that led to the object, with the parent's side; -1 when its inverse is read.
  let link: LinkIndex
  let side: LinkSide
  /// Whether this import has just made the object.
  let isNew: Bool
  /// Whether the object already has its record's identity.
  let hasIdentity: Bool
  /// Whether the record sets nothing and only names objects.
  let isNaming: Bool
  /// Whether the record only names an object: missing keys then have no effect.
  let isPartial: Bool

  @inline(__always)
  init(_ record: MatchedRecord, row: Row, scope: Scope, isNew: Bool) {
    token = record.token
    plan = record.plan
    self.row = row
    slots = Int32(truncatingIfNeeded: record.slots)
    link = scope.ignoresInverse ? scope.link : .none
    side = scope.side
    self.isNew = isNew
    isNaming = scope.operations.contains(.names)
    hasIdentity = record.hasIdentity
    isPartial = record.isPartial
  }
}
