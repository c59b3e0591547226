/// A JSON object whose values are in the slots of a plan; whose object it is, is not known yet.
struct MatchedRecord {
  /// The object in the text.
  let object: TokenIndex
  /// The result of dictionary transformers.
  var token: TokenIndex
  var plan: PlanIndex
  /// Where its slots begin.
  var slots: Int
  /// Whether all parts of its identity are there.
  var hasIdentity = false
  /// Whether it only names its object, with nothing or a few things besides its identity.
  var isPartial = false
  /// Whether no object of any entity that was asked for has its identity, as far as is known.
  var isUnknown = false

  @inline(__always)
  init(object: TokenIndex, plan: PlanIndex, slots: Int) {
    self.object = object
    token = object
    self.plan = plan
    self.slots = slots
  }
}
