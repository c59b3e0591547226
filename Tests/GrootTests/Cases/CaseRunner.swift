import Testing

@testable import Groot

/// Runs the steps of one case.
struct CaseRunner {
  let context: ManagedObjectContext
  let usesScanner: Bool
  /// Further mappings of the same model.
  var mappings: [String: Mapping] = [:]
  var kept: [String: [ManagedObject]] = [:]
  /// Where the case is, for messages.
  var place: Comment = ""

  init(context: ManagedObjectContext, usesScanner: Bool) {
    self.context = context
    self.usesScanner = usesScanner
  }

  mutating func run(_ step: JSONValue) throws {
    if let entity = step["import"] {
      try runImport(step, into: entity.stringValue)
    } else if let entity = step["sync"]?.stringValue {
      try runSync(step, entity)
    } else if let name = step["fill"]?.stringValue {
      try runFill(step, try object(name))
    } else if let counts = step["count"]?.objectValue {
      for (entity, count) in counts.members {
        let found = try context.count(FetchRequest(entity))
        #expect(Int64(found) == count.integerValue, place)
      }
    } else if let name = step["export"]?.stringValue {
      let object = try object(name)
      try runExport(step, step["equals"]) { try context.exportValue(object, options: $0) }
    } else if let entity = step["exportAll"]?.stringValue {
      let objects = try context.fetch(FetchRequest(entity))
      try runExport(step, step["equals"]) { try context.exportValue(objects, options: $0) }
    } else if step["exportDocument"] == true {
      try runExport(step, step["equals"]) {
        try JSONValue(parsing: context.exportText(options: $0))
      }
    } else if let entity = step["fetch"]?.stringValue {
      try runFetch(step, entity)
    } else if let entity = step["distinct"]?.stringValue {
      try runDistinct(step, entity)
    } else if let entity = step["aggregate"]?.stringValue {
      try runAggregate(step, entity)
    } else if let expected = step["warnings"] {
      expectMatch(.array(context.mapping.warnings.map(\.json)), expected, hasPlace: false)
    } else if let expect = step["save"] {
      try checkFailure(expect, hasPlace: false) { try context.save() }
    } else if step["rollback"] != nil {
      try context.rollback()
    } else if let asked = step["roundTrip"] {
      try runRoundTrip(asked, isFull: step["full"] == true)
    } else {
      try runObjectStep(step)
    }
  }

  private mutating func runObjectStep(_ step: JSONValue) throws {
    if let name = step["get"]?.stringValue {
      expectEqual(shown(try object(name)[try property(step)]), step["equals"])
    } else if let name = step["set"]?.stringValue {
      try runSet(step, try object(name), try property(step))
    } else if let name = step["members"]?.stringValue {
      try runMembers(step, try object(name), try property(step))
    } else if let entity = step["insert"]?.stringValue {
      kept[try #require(step["as"]?.stringValue, place)] = [try context.insert(entity)]
    } else if let name = step["delete"]?.stringValue {
      try context.delete(try object(name).id)
    } else {
      Issue.record("a step that is not known: \(step)")
    }
  }

  // MARK: Objects

  func object(_ name: String) throws -> ManagedObject { try #require(kept[name]?.first, place) }

  private func objects(_ names: [JSONValue]) throws -> [ManagedObject] {
    try names.flatMap { try #require(kept[$0.stringValue ?? ""], place) }
  }

  func property(_ step: JSONValue) throws -> String {
    try #require(step["property"]?.stringValue, place)
  }

  private func runSet(_ step: JSONValue, _ object: ManagedObject, _ property: String) throws {
    if let names = step["members"]?.arrayValue {
      try object.set(property, to: try objects(names))
    } else if let name = step["object"]?.stringValue {
      try object.set(property, to: try self.object(name))
    } else {
      let attribute = try context.property(.name(property), of: object.id).attribute
      let type = try #require(attribute, place).type
      try object.set(property, to: Value(try #require(step["value"], place), as: type))
    }
  }

  private func runMembers(_ step: JSONValue, _ object: ManagedObject, _ property: String) throws {
    let expected = try #require(step["equals"], place)
    if let names = expected.arrayValue {
      #expect(try object.members(property) == objects(names), place)
    } else {
      let target = try expected.stringValue.map { try self.object($0) }
      #expect(try object.target(property) == target, place)
    }
  }

  /// A value as cases write it.
  func shown(_ value: Value) -> JSONValue {
    switch value {
    case .date(let date): .integer(date.microseconds)
    case .day(let day): .integer(Int64(day.daysSinceEpoch))
    case .decimal(let decimal): .real(decimal.double)
    case .binary(let bytes): .string(String(decoding: bytes, as: UTF8.self))
    default: value.json
    }
  }

  // MARK: Comparing

  func expectEqual(_ found: JSONValue, _ expected: JSONValue?) {
    let isEqual = expected.map { CaseComparison.areEqual(found, $0) } == true
    #expect(isEqual, "\(place.rawValue): \(found)")
  }

  func expectMatch(_ found: JSONValue, _ expected: JSONValue, hasPlace: Bool) {
    let matches = CaseComparison.matches(found, expected, hasPlace: hasPlace)
    #expect(matches, "\(place.rawValue): \(found)")
  }

  /// Runs what fails as `{"error": ...}` or `{"errors": ...}` says, or not at all; nil when it did.
  @discardableResult
  func checkFailure<Result>(
    _ expect: JSONValue?, hasPlace: Bool, isText: Bool = false, _ body: () throws -> Result
  ) throws -> Result? {
    let result: Result
    do {
      result = try body()
    } catch let error as GrootError {
      let issues = error.issues
      // What jansson reads knows the location of errors of the text, not that of each value.
      let hasPlace = hasPlace || (isText && error.status == .invalidJSON)
      if let expected = expect?["error"] {
        let first = issues.first { $0.severity == .error } ?? issues[0]
        expectMatch(first.json, expected, hasPlace: hasPlace)
      } else if let expected = expect?["errors"] {
        expectMatch(.array(issues.map(\.json)), expected, hasPlace: hasPlace)
      } else {
        throw error
      }
      return nil
    }
    #expect(expect?["error"] == nil && expect?["errors"] == nil, place)
    return result
  }
}
