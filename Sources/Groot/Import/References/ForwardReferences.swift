/// Objects that identifiers name before a record describes them.
///
/// The order of records must not matter where unknown identifiers are left out. A stub row is
/// therefore used until the import ends. A record that describes the stub makes it an object; a
/// remaining stub is removed at the end.
struct ForwardReferences {
  /// A to-one that is set if its object comes.
  struct Target {
    let object: ObjectID
    let field: Field
    let target: ObjectID
    /// The note for the report, or the failure, if the object does not come; nil for neither.
    let issue: GrootIssue?
    /// Whether the to-one is required.
    let isRequired: Bool

    var requirement: Required { Required(object: object, property: field.number) }
  }

  /// A required to-one that waits for its object.
  struct Required: Hashable {
    let object: ObjectID
    let property: UInt16
  }

  /// A to-many with stub rows among its members.
  struct List {
    let object: ObjectID
    let field: Field
  }

  /// A stub row, with the plan of its identity.
  struct Row {
    let id: ObjectID
    let plan: PlanIndex
    /// Whether the stub becomes a placeholder if no record describes it.
    let isPlaceholder: Bool
  }

  /// A placeholder that this import made.
  struct Placeholder {
    let id: ObjectID
    /// The plan of the entity that the identifier names.
    let plan: PlanIndex
  }

  /// The numbers of entries, for returning to an earlier state.
  struct Counts {
    fileprivate let rows: Int
    fileprivate let targets: Int
    fileprivate let members: Int
    fileprivate let placeholders: Int
    fileprivate let given: Int
  }

  var rows: [Row] = []
  private(set) var targets: [Target] = []
  private(set) var required: Set<Required> = []
  var members: [List] = []
  var placeholders: [Placeholder] = []
  /// The locations where the first of the placeholders are named.
  var locations: [GrootIssue] = []
  /// The placeholders that came as objects with only their identity.
  var given: [ObjectID] = []
  /// The number of placeholders whose location is noted: finding a location takes time.
  static let maximumLocationCount = 100

  var counts: Counts {
    Counts(
      rows: rows.count, targets: targets.count, members: members.count,
      placeholders: placeholders.count, given: given.count)
  }

  mutating func wait(_ target: Target, _ memory: MemoryAccount) throws {
    try targets.append(target, within: memory)
    if target.isRequired { required.insert(target.requirement) }
  }

  mutating func removeLast(to counts: Counts) {
    rows.removeSubrange(counts.rows...)
    if !required.isEmpty && targets.count > counts.targets {
      required = Set(targets[..<counts.targets].filter(\.isRequired).map(\.requirement))
    }
    targets.removeSubrange(counts.targets...)
    members.removeSubrange(counts.members...)
    placeholders.removeSubrange(counts.placeholders...)
    given.removeSubrange(counts.given...)
    if locations.count > counts.placeholders { locations.removeSubrange(counts.placeholders...) }
  }
}
