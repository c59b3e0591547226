/// An object that is found or made, and still to be filled.
struct ImportFrame {
  /// Its token, after all dictionary transformers.
  let token: TokenIndex
  /// The plan of its entity.
  let plan: PlanIndex
  let row: Row
  /// Where its slots begin.
  let slots: Int32
  /// The relationship it was reached along, and the side of its parent, when its inverse is not to
  /// be read; else -1.
  let link: LinkIndex
  let side: LinkSide
  /// Whether this import made it just now.
  let isNew: Bool
  /// Whether its identity is in its record already.
  let hasIdentity: Bool
  /// Whether nothing is set: its record tells which objects there are.
  let isNaming: Bool
  /// Whether its record only names an object: missing keys are not asked for.
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
    isNaming = scope.operations.names
    hasIdentity = record.hasIdentity
    isPartial = record.isPartial
  }
}
