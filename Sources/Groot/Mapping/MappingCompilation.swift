/// The state of compiling annotations or rules: errors, warnings, and the registered functions.
struct MappingCompilation {
  /// The greatest number of steps of a mapping, over all entities and rules.
  static let maximumSteps = 500_000
  /// The greatest number of listed issues, and of listed warnings.
  static let maximumIssues = 10_000

  private let registry: TransformerRegistry
  /// The names in the registry.
  let registered: [String]
  private var used: Set<Name> = []
  private(set) var issues: [GrootIssue] = []
  private(set) var warnings: [GrootIssue] = []
  /// The keys of reported issues, by which duplicates are found.
  private var noted: Set<Name> = []
  private var stepCount = 0

  init(_ registry: TransformerRegistry) {
    self.registry = registry
    registered = registry.names
  }

  /// Whether the mapping has too many steps, so that compiling further is useless.
  var isOverLimit: Bool { stepCount > Self.maximumSteps }

  /// Adds to the number of compiled steps.
  mutating func count(steps: Int) { stepCount += steps }

  private mutating func isNew(_ issue: GrootIssue) -> Bool {
    let parts = [issue.entity, issue.property, issue.path, issue.message]
    return noted.insert(Name(parts.joined(separator: "\0"))).inserted
  }

  /// Reports a mistake; one in an inherited property is found for each descendant, but reported
  /// once.
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

  /// Sets the policies of a property from its annotations.
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

  /// Throws an error with the reported issues, if there are any.
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

  /// Returns the function with a name.
  mutating func entry(_ name: String) -> TransformerRegistry.Entry? {
    used.insert(Name(name))
    return registry.entries[name]
  }

  /// Warns of registered functions that are not named by any annotation.
  mutating func warnOfUnused() {
    for name in registered where !used.contains(Name(name)) {
      warn(
        "'\(name)' is registered, but no annotation names it", entity: "",
        status: .unknownTransformer)
    }
  }
}
