/// The number of an entity's plan in its ``Plan``.
///
/// The plans of entities are first, in the order of the entities. Plans for single relationships
/// follow.
struct PlanIndex: TypedIndex {
  static let none = PlanIndex(rawValue: -1)

  let rawValue: Int32

  @inline(__always)
  init(rawValue: Int32) { self.rawValue = rawValue }
  /// Makes the index of an entity's own plan.
  @inline(__always)
  init(of entity: EntityIndex) { rawValue = Int32(truncatingIfNeeded: entity.rawValue) }

  @inline(__always)
  var isNone: Bool { rawValue < 0 }
}

extension Mapping {
  /// Returns the plan for reading records of an entity.
  func plan(of entity: String) throws -> PlanIndex { PlanIndex(of: try model.index(of: entity)) }
}
