/// A request for counts, sums, extremes and averages of objects, for all or by group.
///
/// ```swift
/// let request = AggregateRequest(
///   "Character", aggregates: ["number": .count, "best": .maximum("rating")], by: ["publisher.name"])
/// let rows = try context.aggregate(request)
/// ```
public struct AggregateRequest: Sendable {
  /// A computation; attributes are named as in sort keys.
  public enum Aggregate: Hashable, Sendable {
    /// The number of objects.
    case count
    /// The number of objects with a value of an attribute.
    case countOf(String)
    /// The sum of a number, 0 without values: exact for integers and decimals, rounded once for
    /// reals.
    case sum(String)
    /// The smallest value; null without values.
    case minimum(String)
    /// The greatest value; null without values.
    case maximum(String)
    /// The mean of a number as a real; null without values.
    case average(String)

    /// The attribute of the values; nil for the number of objects.
    var attribute: String? {
      switch self {
      case .count: nil
      case .countOf(let name), .sum(let name), .minimum(let name), .maximum(let name),
        .average(let name):
        name
      }
    }
  }

  /// The entity; its descendants are included.
  public var entity: String
  /// The condition for an object, as JSON; nil means no condition.
  public var predicate: JSONValue?
  /// The attributes that form the groups; none for all objects together.
  public var groups: [String]
  /// The computations, by their names in the result.
  public var aggregates: NameMap<Aggregate>

  /// Makes a request.
  ///
  /// - Parameters:
  ///   - entity: The entity; its descendants are included.
  ///   - aggregates: The computations, by their names in the result.
  ///   - groups: The attributes that form the groups.
  ///   - predicate: The condition for an object, as JSON; nil means no condition.
  public init(
    _ entity: String, aggregates: NameMap<Aggregate>, by groups: [String] = [],
    where predicate: JSONValue? = nil
  ) {
    self.entity = entity
    self.aggregates = aggregates
    self.groups = groups
    self.predicate = predicate
  }

  /// Reads a request from JSON: `values`, and optionally `by` and `where`.
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
            path: "$.values" + MessagePath.member(name), entity: entity))
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
