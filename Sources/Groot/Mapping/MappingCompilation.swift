/// The compiling of annotations or rules: their errors, their probable mistakes, and the functions
/// of the registry that they name.
struct MappingCompilation {
  /// How many steps the entities and rules of a mapping have together at most.
  static let maximumSteps = 500_000
  /// How many issues, and how many warnings, are listed at most.
  static let maximumIssues = 10_000

  private let registry: TransformerRegistry
  /// The names in the registry.
  let registered: [String]
  private var used: Set<Name> = []
  private(set) var issues: [GrootIssue] = []
  private(set) var warnings: [GrootIssue] = []
  /// The notes, as text that is different for different issues.
  private var noted: Set<Name> = []
  private var stepCount = 0

  init(_ registry: TransformerRegistry) {
    self.registry = registry
    registered = registry.names
  }

  /// Whether there are more steps than a mapping may have; then there is no use in going on.
  var isOverLimit: Bool { stepCount > Self.maximumSteps }

  /// Counts steps that were compiled.
  mutating func count(steps: Int) { stepCount += steps }

  private mutating func isNew(_ issue: GrootIssue) -> Bool {
    let parts = [issue.entity, issue.property, issue.path, issue.message]
    return noted.insert(Name(parts.joined(separator: "\0"))).inserted
  }

  /// Reports what is wrong; an inherited property is compiled once for each descendant, but what is
  /// wrong with it is said once.
  mutating func report(
    _ status: Status, _ message: String, entity: String, property: String = "",
    path: String = ""
  ) {
    let issue = GrootIssue(status, message, path: path, entity: entity, property: property)
    if issues.count < Self.maximumIssues && isNew(issue) { issues.append(issue) }
  }

  mutating func warn(
    _ message: String, entity: String, property: String = "",
    status: Status = .invalidMapping
  ) {
    let issue = GrootIssue(
      status, message, severity: .warning, entity: entity, property: property)
    if warnings.count < Self.maximumIssues && isNew(issue) { warnings.append(issue) }
  }

  /// Gives a property the policies that its annotations choose.
  mutating func choosePolicies(of mapping: inout PropertyMapping, _ entity: String) {
    for name in Policies.names {
      guard let value = mapping.property.userInfo["groot." + name] else { continue }
      do {
        try mapping.policies.set(name, to: value)
      } catch {
        let message = (error as? GrootError)?.issues.first?.message ?? ""
        report(.invalidMapping, message, entity: entity, property: mapping.property.name)
      }
    }
  }

  /// Throws what was found, if anything was.
  func check() throws {
    if isOverLimit {
      throw GrootError(
        .limitExceeded,
        "the mapping has more than \(Self.maximumSteps) steps: properties of entities, inherited ones "
          + "counted for each, and rules, counted for each entity that they hold for")
    }
    guard let first = issues.first else { return }
    let isOneKind = issues.allSatisfy { $0.status == first.status }
    throw GrootError(isOneKind ? first.status : .invalidMapping, issues)
  }

  // MARK: The registry

  /// The function that a name stands for.
  mutating func entry(_ name: String) -> TransformerRegistry.Entry? {
    used.insert(Name(name))
    return registry.entries[name]
  }

  /// Warns of functions that no annotation names.
  mutating func warnOfUnused() {
    for name in registered where !used.contains(Name(name)) {
      warn(
        "'\(name)' is registered, but no annotation names it", entity: "",
        status: .unknownTransformer)
    }
  }
}
