/// A JSON object with its values in the slots of a plan; its managed object is still unknown.
struct MatchedRecord {
  /// The object in the text.
  let object: TokenIndex
  /// The result of dictionary transformers.
  var token: TokenIndex
  var plan: PlanIndex
  /// The position of the record's first slot.
  var slots: Int
  /// Whether all parts of the record's identity have values.
  var hasIdentity = false
  /// Whether the record only names its object, with few or no properties besides its identity.
  var isPartial = false
  /// Whether a function chose the record's entity.
  var isChosen = false
  /// Whether no known object of any requested entity has the record's identity.
  var isUnknown = false

  @inline(__always)
  init(object: TokenIndex, plan: PlanIndex, slots: Int) {
    self.object = object
    token = object
    self.plan = plan
    self.slots = slots
  }
}
