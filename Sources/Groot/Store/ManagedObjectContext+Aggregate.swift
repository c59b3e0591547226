// Values computed over objects.

extension ManagedObjectContext {
  /// Computes aggregates over objects.
  ///
  /// Without groups the result is one row, which has a value for each aggregate by its name. With
  /// groups there is a row for each combination of their values, with these values too, in the order
  /// of the values; no value comes first.
  ///
  /// - Throws: also ``Status/outOfRange`` when a sum does not fit its attribute's type, or 64 bits.
  public func aggregate(_ request: AggregateRequest) throws -> [[String: Value]] {
    try requireIdle()
    let plan = try AggregatePlan(request, model)
    let table = model.resolved[plan.entity].hierarchy
    let rows = try rows(plan.entity, plan.predicate)
    let groups = ValueTable(rows, table, plan.groups.map(\.path), graph)
    let values = ValueTable(rows, table, plan.computed.compactMap(\.path), graph)
    var result: [[String: Value]] = []
    var accumulators = plan.accumulators
    var first: UInt32?
    for line in groups.sorted(plan.groups.map { ($0.type, true) }) {
      if let start = first, !groups.areEqual(start, line, plan.groups.map(\.type)) {
        result.append(try plan.row(start, groups, accumulators))
        accumulators = plan.accumulators
        first = line
      } else if first == nil {
        first = line
      }
      plan.add(line, values, &accumulators)
    }
    if first != nil || plan.groups.isEmpty {
      result.append(try plan.row(first ?? 0, groups, accumulators))
    }
    return result
  }

  /// Computes aggregates over objects: an object, or with groups a list of objects.
  package func aggregateValue(_ request: AggregateRequest) throws -> JSONValue {
    let rows = try aggregate(request).map { row in
      JSONValue.object(
        JSONObject(row.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value.json) }))
    }
    return request.groups.isEmpty ? rows.first ?? [:] : .array(rows)
  }

  /// The distinct values of an attribute, or of a path to one, in order; no value is null and comes
  /// first.
  ///
  /// The request's limit and offset count values. It has no sort keys.
  public func distinct(
    _ key: FetchRequest.SortKey, _ request: FetchRequest
  ) throws -> [Value] {
    try requireIdle()
    let entity = try model.index(of: request.entity)
    let key = try FetchOrder.Key(key, of: entity, model, place: "$.property")
    guard request.sortKeys.isEmpty else {
      throw GrootError(
        Issue(
          .invalidArgument,
          "distinct values are in their own order; a \"-\" before the property "
            + "turns it around", path: "$.sort", entity: request.entity))
    }
    let table = model.resolved[entity].hierarchy
    let rows = try rows(entity, try predicate(of: request, entity))
    let values = ValueTable(rows, table, [key.path], graph)
    var lines: [UInt32] = []
    for line in values.sorted([(key.type, key.isAscending)]) {
      if let last = lines.last, values.areEqual(last, line, [key.type]) { continue }
      lines.append(line)
    }
    return lines[request.range(in: lines.count)].map { line in
      Value(values[line, 0].withoutNegativeZero(key.type), key.type)
    }
  }
}

/// A request for aggregates, checked against the model.
private struct AggregatePlan {
  /// An aggregate with its name in the result.
  struct Computed {
    let name: String
    let aggregate: AggregateRequest.Aggregate
    /// What it is computed of; nil when it counts objects.
    let path: PropertyPath?
    let type: AttributeType
  }

  let entity: Int
  let predicate: Predicate
  let groups: [FetchOrder.Key]
  let computed: [Computed]
  private let model: ManagedObjectModel

  init(_ request: AggregateRequest, _ model: ManagedObjectModel) throws {
    self.model = model
    let entity = try model.index(of: request.entity)
    self.entity = entity
    predicate =
      try request.predicate.map {
        try PredicateReader(model: model).read($0, entity, "$.where")
      } ?? .constant(true)
    groups = try request.groups.enumerated().map { position, text in
      let place = "$.by" + JSONPath.element(position)
      let key = FetchRequest.SortKey(text)
      guard request.aggregates[text] == nil, !request.groups[..<position].contains(text) else {
        throw GrootError(
          Issue(
            .invalidArgument, "two values of the result would be called \"\(text)\"", path: place,
            entity: request.entity))
      }
      return try FetchOrder.Key(key, of: entity, model, place: place)
    }
    computed = try request.aggregates.sorted { $0.key < $1.key }.map { name, aggregate in
      try Self.check(name, aggregate, entity, model)
    }
  }

  private static func check(
    _ name: String, _ aggregate: AggregateRequest.Aggregate, _ entity: Int,
    _ model: ManagedObjectModel
  ) throws -> Computed {
    guard let text = aggregate.attribute else {
      return Computed(name: name, aggregate: aggregate, path: nil, type: .integer64)
    }
    let place = "$.values" + JSONPath.member(name)
    let path = try PropertyPath(text, of: entity, model, place: place)
    let type = try path.attribute("aggregates are computed of", model, place: place).type
    let fits: Bool
    switch aggregate {
    case .sum, .average: fits = type.isOrderable && type != .date
    case .minimum, .maximum: fits = type != .transformable && type != .composite
    case .count, .countOf: fits = true
    }
    guard fits else {
      throw GrootError(
        Issue(
          .wrongType, "this aggregate is not computed of values of the type \(type.rawValue)",
          path: place, entity: model.resolved[path.entity].name, property: path.property.name))
    }
    return Computed(name: name, aggregate: aggregate, path: path, type: type)
  }

  var accumulators: [Accumulator] { computed.map { Accumulator($0.aggregate, $0.type) } }

  func add(_ line: UInt32, _ values: ValueTable, _ accumulators: inout [Accumulator]) {
    var column = 0
    for index in computed.indices {
      if computed[index].path == nil {
        accumulators[index].addObject()
      } else {
        accumulators[index].add(values[line, column])
        column += 1
      }
    }
  }

  /// The row of the group that a line is in.
  func row(
    _ line: UInt32, _ groups: ValueTable, _ accumulators: [Accumulator]
  ) throws -> [String: Value] {
    var row: [String: Value] = [:]
    for (column, key) in self.groups.enumerated() {
      row[key.path.text] = Value(groups[line, column].withoutNegativeZero(key.type), key.type)
    }
    for (one, accumulator) in zip(computed, accumulators) {
      guard let value = accumulator.result else {
        throw GrootError(
          Issue(
            .outOfRange, "the sum does not fit", path: "$.values" + JSONPath.member(one.name),
            entity: model.resolved[entity].name, property: one.path?.property.name ?? ""))
      }
      row[one.name] = value
    }
    return row
  }
}

extension StoredValue {
  /// 0.0 for -0.0, which is equal to it: so a result does not depend on which of them came first.
  func withoutNegativeZero(_ type: AttributeType) -> StoredValue {
    (type == .double || type == .float) && isPresent && real == 0 ? StoredValue(word: 0) : self
  }
}
