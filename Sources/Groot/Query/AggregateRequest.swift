/// A computation over objects: counts, sums, extremes and averages, for all or by group.
///
/// ```swift
/// let request = AggregateRequest(
///   "Character", aggregates: ["number": .count, "best": .maximum("rating")], by: ["publisher.name"])
/// let rows = try context.aggregate(request)
/// ```
public struct AggregateRequest: Sendable {
  /// The computation; attributes are named as in sort keys.
  public enum Aggregate: Hashable, Sendable {
    /// The number of objects.
    case count
    /// The number of objects that have a value there.
    case countOf(String)
    /// The sum of a number, 0 for none: exact for integers and decimals, rounded once for reals.
    case sum(String)
    /// The smallest value; null when there is none.
    case minimum(String)
    /// The greatest value; null when there is none.
    case maximum(String)
    /// The mean of a number as a real; null when there is none.
    case average(String)

    /// The attribute it is computed of.
    var attribute: String? {
      switch self {
      case .count: nil
      case .countOf(let name), .sum(let name), .minimum(let name), .maximum(let name),
        .average(let name):
        name
      }
    }
  }

  /// The entity, whose descendants count too.
  public var entity: String
  /// The condition an object meets to count, as JSON; nil means no condition.
  public var predicate: JSONValue?
  /// The attributes whose values make the groups; none for all objects together.
  public var groups: [String]
  /// The computations, by their names in the result.
  public var aggregates: NameMap<Aggregate>

  /// Makes a request.
  ///
  /// - Parameters:
  ///   - entity: The entity, whose descendants count too.
  ///   - aggregates: The computations, by their names in the result.
  ///   - groups: The attributes whose values make the groups.
  ///   - predicate: The condition an object meets to count, as JSON; nil means no condition.
  public init(
    _ entity: String, aggregates: NameMap<Aggregate>, by groups: [String] = [],
    where predicate: JSONValue? = nil
  ) {
    self.entity = entity
    self.aggregates = aggregates
    self.groups = groups
    self.predicate = predicate
  }

  /// Reads a request as JSON: `values`, and `by` and `where`, which may be absent.
  package init(_ entity: String, json: JSONValue?) throws {
    self.init(entity, aggregates: [:])
    var document = RequestDocument(json, name: "a request for aggregates", entity: entity)
    predicate = try document.object("where")
    groups = try document.texts("by")
    for (name, value) in try document.object("values")?.objectValue?.members ?? [] {
      guard let aggregate = Aggregate(value) else {
        throw GrootError(
          GrootIssue(
            .invalidArgument,
            "\(value) is not an aggregate; there are \"count\" and {\"count\" | \"sum\" | \"min\" | "
              + "\"max\" | \"average\": attribute}",
            path: "$.values" + JSONPath.member(name), entity: entity))
      }
      aggregates[name] = aggregate
    }
    try document.finish(["\"values\" (an object)", "\"by\" (a list)", "\"where\" (an object)"])
  }
}

extension AggregateRequest.Aggregate {
  /// Reads `"count"` or `{"sum": "rating"}`.
  init?(_ json: JSONValue) {
    if json.stringValue == "count" {
      self = .count
      return
    }
    guard let members = json.objectValue?.members, members.count == 1,
      let attribute = members[0].value.stringValue
    else { return nil }
    switch members[0].key {
    case "count": self = .countOf(attribute)
    case "sum": self = .sum(attribute)
    case "min": self = .minimum(attribute)
    case "max": self = .maximum(attribute)
    case "average": self = .average(attribute)
    default: return nil
    }
  }
}
