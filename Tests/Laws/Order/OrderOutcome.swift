@testable import Groot

/// What a feed came to, without what the order of its records decides: the order of objects.
struct OrderOutcome: Equatable, CustomStringConvertible {
  var graph: [String]
  var counts: [Int]
  var issues: [String]
  /// What failed, as sorted problems; empty when nothing did.
  var failure: [String] = []

  var description: String {
    (graph + ["counts \(counts)"] + issues + failure).joined(separator: "\n  ")
  }

  init(_ context: ManagedObjectContext, _ report: ImportReport) throws {
    graph = try Self.graph(context)
    counts = report.counts
    issues = report.issues.map(Self.text).sorted()
  }

  init(_ error: GrootError) {
    graph = []
    counts = []
    issues = []
    failure = error.issues.map(Self.text).sorted()
  }

  /// An issue without its location.
  private static func text(_ issue: GrootIssue) -> String {
    "\(issue.status) \(issue.severity) \(issue.entity).\(issue.property) \(issue.message)"
  }

  /// Each object with all that it has, named by what identifies it.
  static func graph(_ context: ManagedObjectContext) throws -> [String] {
    var lines: [String] = []
    for root in context.model.entities where root.parent == nil {
      for object in try context.fetch(FetchRequest(root.name)) {
        lines.append(try context.text(object, sortsUnordered: true, name: name))
      }
    }
    return lines.sorted()
  }

  private static func name(_ object: ManagedObject) throws -> String {
    if try object.entityName() == "Review" {
      func end(_ property: String) throws -> String {
        try object.target(property).map { try name($0) } ?? "none"
      }
      return "review \(try end("work"))-\(try end("person"))"
    }
    if case .integer(let id) = try object["id"] { return "#\(id)" }
    // What only its name names.
    return "?\((try? object["name"]) ?? .null)"
  }
}
