import Testing

@testable import Groot

/// Runs the steps of one case.
struct CaseRunner {
  let context: ManagedObjectContext
  let usesScanner: Bool
  private var kept: [String: [ManagedObject]] = [:]

  init(context: ManagedObjectContext, usesScanner: Bool) {
    self.context = context
    self.usesScanner = usesScanner
  }

  /// The functions that a case asks for.
  static func registry(_ test: JSONValue) throws -> TransformerRegistry {
    var registry = TransformerRegistry()
    for (name, builtin) in test["registry"]?.objectValue?.members ?? [] {
      let known = BuiltinTransformer(rawValue: builtin.stringValue ?? "")
      registry.setBuiltin(name, try #require(known))
    }
    for (name, table) in test["entityMappers"]?.objectValue?.members ?? [] {
      let key = try #require(table["key"]?.stringValue)
      registry.setEntityMapper(name) { object in
        object[key]?.stringValue.flatMap { table["values"]?[$0]?.stringValue }
      }
    }
    for (name, table) in test["dictionaryTransformers"]?.objectValue?.members ?? [] {
      let copies = table["copy"]?.objectValue?.members ?? []
      registry.setDictionaryTransformer(name) { value in
        guard case .object(var object) = value else { return nil }
        for (from, to) in copies {
          if let found = object[from], let key = to.stringValue { object[key] = found }
        }
        return .object(object)
      }
    }
    return registry
  }

  mutating func run(_ step: JSONValue, _ place: Comment) throws {
    if let entity = step["import"]?.stringValue {
      try runImport(step, entity, place)
    } else if let counts = step["count"]?.objectValue {
      for (entity, count) in counts.members {
        let found = try context.count(FetchRequest(entity))
        #expect(Int64(found) == count.integerValue, place)
      }
    } else if let name = step["export"]?.stringValue {
      let object = try #require(kept[name]?.first, place)
      expectEqual(try context.exportValue(object), step["equals"], place)
    } else if let entity = step["exportAll"]?.stringValue {
      let objects = try context.fetch(FetchRequest(entity))
      expectEqual(try context.exportValue(objects), step["equals"], place)
    } else if let entity = step["fetch"]?.stringValue {
      var request = step.objectValue ?? JSONObject()
      for key in ["fetch", "exportEquals", "about"] { request[key] = nil }
      let found = try context.fetch(FetchRequest(entity, .object(request), context.model))
      expectEqual(try context.exportValue(found), step["exportEquals"], place)
    } else if let name = step["get"]?.stringValue {
      let object = try #require(kept[name]?.first, place)
      let property = try #require(step["property"]?.stringValue, place)
      expectEqual(shown(try object.value(property)), step["equals"], place)
    } else if let name = step["set"]?.stringValue {
      let object = try #require(kept[name]?.first, place)
      let property = try #require(step["property"]?.stringValue, place)
      let attribute = try context.entityAttribute(property, of: object)
      try object.setValue(Value(try #require(step["value"], place), attribute.type), property)
    } else if let name = step["delete"]?.stringValue {
      try context.delete(try #require(kept[name]?.first, place).id)
    } else {
      Testing.Issue.record("a step that is not known: \(step)")
    }
  }

  private mutating func runImport(_ step: JSONValue, _ entity: String, _ place: Comment) throws {
    var options = ImportOptions()
    options.usesScanner = usesScanner
    let text = step["text"]?.stringValue
    let json = step["json"] ?? .null
    let before = dump(context)
    let objects: [ManagedObject]
    do {
      if let text {
        objects = Array(try context.importText(text, into: entity, options: options))
      } else {
        objects = Array(try context.importValue(json, into: entity, options: options))
      }
    } catch let error as GrootError {
      guard let expected = step["expect"]?["error"] else { throw error }
      #expect(dump(context) == before, place)
      compare(expected, error, hasText: text != nil, place)
      return
    }
    #expect(step["expect"]?["error"] == nil, place)
    if let count = step["expect"]?["count"]?.integerValue {
      #expect(Int64(objects.count) == count, place)
    }
    if let name = step["same"]?.stringValue { #expect(objects == kept[name], place) }
    if let name = step["as"]?.stringValue { kept[name] = objects }
  }

  private func compare(
    _ expected: JSONValue, _ error: GrootError, hasText: Bool, _ place: Comment
  ) {
    let issue = error.issues.first { $0.severity == .error } ?? error.issues[0]
    let found: JSONValue = [
      "status": .integer(Int64(issue.status.rawValue)), "path": .string(issue.path),
      "entity": .string(issue.entity), "property": .string(issue.property),
      "line": .integer(Int64(issue.line)), "column": .integer(Int64(issue.column)),
    ]
    for (key, value) in expected.objectValue?.members ?? [] {
      if !hasText && (key == "line" || key == "column") { continue }
      #expect(found[key] == value, "\(key): \(place.rawValue): \(error)")
    }
  }

  /// A value as cases write it.
  private func shown(_ value: Value) -> JSONValue {
    switch value {
    case .date(let date): .integer(date.microseconds)
    case .decimal(let decimal): .real(decimal.double)
    case .binary(let bytes): .string(String(decoding: bytes, as: UTF8.self))
    default: value.json
    }
  }

  private func expectEqual(_ found: JSONValue, _ expected: JSONValue?, _ place: Comment) {
    #expect(expected.map { Self.areEqual(found, $0) } == true, "\(place.rawValue): \(found)")
  }

  /// Equality of JSON where 1 equals 1.0 and the order of keys does not matter.
  static func areEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
    switch (left, right) {
    case (.integer(let left), .real(let right)), (.real(let right), .integer(let left)):
      return Double(left) == right
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { areEqual($0, $1) }
    case (.object(let left), .object(let right)):
      return left.members.count == right.members.count
        && left.members.allSatisfy { key, value in
          right[key].map { areEqual(value, $0) } ?? false
        }
    default: return left == right
    }
  }
}

extension ManagedObjectContext {
  /// The description of an object's attribute.
  func entityAttribute(_ name: String, of object: ManagedObject) throws -> AttributeDescription {
    try #require(try property(.name(name), of: object.id).attribute)
  }
}
