/// The number of an entity's plan in its ``Plan``.
///
/// The plans of a model's entities come first, by the numbers of the entities; after them come
/// those of relationships that have one of their own.
struct PlanIndex: TypedIndex {
  static let none = PlanIndex(rawValue: -1)

  let rawValue: Int32

  @inline(__always)
  init(rawValue: Int32) { self.rawValue = rawValue }
  /// The plan of an entity as its model has it.
  @inline(__always)
  init(of entity: EntityIndex) { rawValue = Int32(truncatingIfNeeded: entity.rawValue) }

  @inline(__always)
  var isNone: Bool { rawValue < 0 }
}

extension Mapping {
  /// The plan by which records of an entity are read.
  func plan(of entity: String) throws -> PlanIndex { PlanIndex(of: try model.index(of: entity)) }
}
