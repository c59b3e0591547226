/// The output of partial objects: members of a relationship that are written with some properties
/// only.
struct PartialPlan: Sendable {
  /// The numbers of the properties.
  let numbers: Set<Int>
  /// Whether they include more than plain attributes.
  let isNested: Bool
  /// The local index of the entity of the first range.
  let first: UInt16
  /// The positions in ``Plan/outputRanges``, by local index.
  let ranges: [Int32]

  /// Returns the position of an entity's outputs.
  func range(_ local: UInt16) -> Int {
    let position = Int(local) - Int(first)
    return Int(ranges.indices.contains(position) ? ranges[position] : ranges.first ?? 0)
  }
}
