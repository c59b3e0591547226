/// The output of the objects of a relationship that are not written in full.
struct PartialPlan: Sendable {
  /// The numbers of the properties.
  let numbers: Set<Int>
  /// Whether others than plain attributes are among them, so that the object is written step by step.
  let isNested: Bool
  /// The local index of the entity that the first range is for.
  let first: UInt16
  /// The positions in ``Plan/outputRanges``, by local index.
  let ranges: [Int32]

  /// The position of an entity's outputs.
  func range(_ local: UInt16) -> Int {
    let position = Int(local) - Int(first)
    return Int(ranges.indices.contains(position) ? ranges[position] : ranges.first ?? 0)
  }
}
