/// A request for aggregates, checked against the model.
struct AggregatePlan {
  /// An aggregate with its name in the result.
  struct Computed {
    let name: String
    let aggregate: AggregateRequest.Aggregate
    /// The property of the values; nil for the number of objects.
    let path: PropertyPath?
    let type: AttributeType
  }

  let entity: EntityIndex
  let predicate: Predicate
  let groups: [FetchOrder.Key]
  let computed: [Computed]
  let model: ManagedObjectModel

  init(_ request: AggregateRequest, model: ManagedObjectModel) throws {
    self.model = model
    let entity = try model.index(of: request.entity)
    self.entity = entity
    predicate =
      try request.predicate.map {
        try PredicateReader(model: model).read($0, entity: entity, at: "$.where")
      } ?? .constant(true)
    var names: Set<Name> = []
    groups = try request.groups.enumerated().map { position, text in
      let location = "$.by" + MessagePath.element(position)
      let key = FetchRequest.SortKey(text)
      guard request.aggregates[text] == nil, names.insert(Name(text)).inserted else {
        throw GrootError(
          GrootIssue(
            .invalidArgument, "two values of the result would be called \"\(text)\"",
            path: location,
            entity: request.entity))
      }
      return try FetchOrder.Key(key, of: entity, model: model, location: location)
    }
    computed = try request.aggregates.map { name, aggregate in
      try Self.check(name, aggregate: aggregate, entity: entity, in: model)
    }
  }

  private static func check(
    _ name: String, aggregate: AggregateRequest.Aggregate, entity: EntityIndex,
    in model: ManagedObjectModel
  ) throws -> Computed {
    guard let text = aggregate.attribute else {
      return Computed(name: name, aggregate: aggregate, path: nil, type: .integer64)
    }
    let location = "$.values" + MessagePath.member(name)
    let path = try PropertyPath(text, of: entity, model: model, location: location)
    let type = try path.attribute("aggregates are computed of", in: model, location: location).type
    let fits: Bool
    switch aggregate {
    case .sum, .average: fits = type.isNumber
    case .minimum, .maximum: fits = type != .transformable && type != .composite
    case .count, .countOf: fits = true
    }
    guard fits else {
      throw GrootError(
        GrootIssue(
          .wrongType, "this aggregate is not computed of values of the type \(type.rawValue)",
          path: location, entity: model.resolved[path.entity].name, property: path.property.name))
    }
    return Computed(name: name, aggregate: aggregate, path: path, type: type)
  }

  var accumulators: [Accumulator] { computed.map { Accumulator($0.aggregate, as: $0.type) } }
}
