/// What is written of the objects of a relationship that are not written in full.
struct PartialPlan: Sendable {
  /// The numbers of the attributes.
  let numbers: Set<Int>
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
