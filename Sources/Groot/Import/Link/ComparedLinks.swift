// Which lists an import compares with those of its store instead of linking them.

extension Plan {
  /// The relationships whose lists an import can compare with those of a store, without links in the
  /// graph: it sets them on one side only.
  var comparedLinks: [LinkIndex: LinkSide] {
    var compared: [LinkIndex: LinkSide] = [:]
    var others: Set<LinkIndex> = []
    for step in (0..<stepCount).lazy.map({ self.steps + $0 }) where step.field.isToMany {
      let side = compared.updateValue(step.field.side, forKey: step.link) ?? step.field.side
      if !step.isCompared || side != step.field.side { others.insert(step.link) }
    }
    return compared.filter { !others.contains($0.key) }
  }
}

extension StepPlan {
  /// Whether a list of the step may have too few or too many members.
  @inline(__always)
  var checksCount: Bool {
    policies.validation != .save && !(field.isOptional && minimumCount == 0 && maximumCount == 0)
  }

  /// Whether the lists of the step can be compared by the keys of their members alone.
  @inline(__always)
  var isCompared: Bool {
    if hasIndexes || checksCount { return false }
    switch policies.assignment {
    case .replace, .union: return true
    case .deleteMissing, .deleteMissingObjects: return false
    }
  }
}
