/// The relationships whose members are deleted when the JSON no longer lists them, by hierarchy of
/// the members.
struct WatchedLinks: Sendable {
  /// By hierarchy, the link; -1 without one, -2 for several.
  private let numbers: [Int32]

  /// Finds the relationships; nil without any.
  init?(
    _ steps: PlanPart<StepPlan>, count: Int, of entities: PlanPart<EntityPlan>, tableCount: Int
  ) {
    var numbers: [Int32] = []
    for position in 0..<count {
      let step = steps + position
      guard step.field.isToMany, !step.destination.isNone else { continue }
      switch step.policies.assignment {
      case .deleteMissing, .deleteMissingObjects: break
      case .replace, .union: continue
      }
      if numbers.isEmpty { numbers = Array(repeating: -1, count: tableCount) }
      let table = entities[step.destination].table.offset
      guard numbers.indices.contains(table) else { continue }
      let link = Int32(truncatingIfNeeded: step.link.offset)
      numbers[table] = numbers[table] == -1 || numbers[table] == link ? link : -2
    }
    if numbers.isEmpty { return nil }
    self.numbers = numbers
  }

  /// Returns whether a link to objects of a hierarchy keeps them when another link loses them.
  @inline(__always)
  func isElsewhere(_ link: LinkIndex, to table: TableIndex) -> Bool {
    let number = numbers[table.offset]
    return number == -2 || number >= 0 && Int(number) != link.offset
  }
}
