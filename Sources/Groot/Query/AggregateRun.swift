/// Computes aggregates of lines of values, in the order of their groups.
///
/// A line has the values of the groups first, then those of the aggregates.
struct AggregateRun {
  private let plan: AggregatePlan
  private let types: [AttributeType]
  private let columns: [(type: AttributeType, isAscending: Bool)]
  private var group = KeptLine()
  private var accumulators: [Accumulator]
  private var isFirst = true
  private(set) var rows: [NameMap<Value>] = []

  init(_ plan: AggregatePlan) {
    self.plan = plan
    types = plan.groups.map(\.type)
    columns = types.map { ($0, true) }
    accumulators = plan.accumulators
  }

  mutating func add(_ line: UnsafeBufferPointer<StoredValue>) throws {
    if isFirst || group.order(line, columns: columns) != 0 {
      if !isFirst { try finishGroup() }
      isFirst = false
      group.keep(line, types: types)
    }
    var column = types.count
    for index in plan.computed.indices {
      if plan.computed[index].path == nil {
        accumulators[index].addObject()
      } else {
        accumulators[index].add(line[column])
        column += 1
      }
    }
  }

  /// Ends the computation and returns all rows; without groups there is always one row.
  mutating func finish() throws -> [NameMap<Value>] {
    if !isFirst || types.isEmpty { try finishGroup() }
    return rows
  }

  private mutating func finishGroup() throws {
    var row: NameMap<Value> = [:]
    for (key, value) in zip(plan.groups, group.values(types)) { row[key.path.text] = value }
    for (one, accumulator) in zip(plan.computed, accumulators) {
      guard let value = accumulator.result else {
        throw GrootError(
          GrootIssue(
            .outOfRange, "the sum does not fit", path: "$.values" + MessagePath.member(one.name),
            entity: plan.model.resolved[plan.entity].name,
            property: one.path?.property.name ?? ""))
      }
      row[one.name] = value
    }
    rows.append(row)
    accumulators = plan.accumulators
  }
}

/// A copy of the values of a line, with their borrowed text.
struct KeptLine {
  private var line: [StoredValue] = []
  /// By column, the text or bytes.
  private var texts: [[UInt8]] = []

  /// Keeps the first values of a line.
  mutating func keep(_ values: UnsafeBufferPointer<StoredValue>, types: [AttributeType]) {
    line = Array(values.prefix(types.count))
    texts = line.map { Array($0.bytes) }
  }

  /// Compares with a line by its first columns: negative if this is first, zero if both are equal,
  /// positive otherwise.
  func order(
    _ other: UnsafeBufferPointer<StoredValue>, columns: [(type: AttributeType, isAscending: Bool)]
  ) -> Int {
    for (column, key) in columns.enumerated() {
      let order = with(column) { $0.order(other[column], as: key.type) }
      if order != 0 { return key.isAscending ? order : 0 - order }
    }
    return 0
  }

  /// Returns the values for programs.
  func values(_ types: [AttributeType]) -> [Value] {
    guard line.count == types.count else { return [] }
    return types.enumerated().map { column, type in
      with(column) { Value($0.withoutNegativeZero(type), as: type) }
    }
  }

  private func with<Result>(_ column: Int, body: (StoredValue) -> Result) -> Result {
    guard line[column].start != nil else { return body(line[column]) }
    return texts[column].withUnsafeBufferPointer { body(StoredValue(bytes: $0)) }
  }
}

extension StoredValue {
  /// Returns 0.0 for -0.0, which is equal, so that a result does not depend on their order.
  func withoutNegativeZero(_ type: AttributeType) -> StoredValue {
    (type == .double || type == .float) && isPresent && real == 0 ? StoredValue(word: 0) : self
  }
}
