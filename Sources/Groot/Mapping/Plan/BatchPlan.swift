/// A function of a mapping that gets many values in one call.
struct BatchPlan: Sendable {
  /// The name in annotations.
  let name: String
  let function: BatchFunction
  /// The first entity and property whose values it gets, which it may ask about.
  let entity: PlanIndex
  let property: String
}
