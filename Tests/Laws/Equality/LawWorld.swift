@testable import Groot

/// Where the contexts of a sequence have their store.
protocol LawPlace {
  /// Opens the store, which can be made to fail.
  func openWorld(_ mapping: Mapping) throws -> (ManagedObjectContext, any LawFault)
  /// Whether 0.0 and -0.0 are one identity for the database; in memory they are two.
  var hasOneZero: Bool { get }
}

/// A way in which a store fails.
protocol LawFault: AnyObject {
  /// Whether a call may succeed in spite of it.
  var mayRecover: Bool { get }
  /// Whether `body` met the fault, which comes after so much work of the store.
  func after(_ steps: Int, _ body: () throws -> Void) rethrows -> Bool
}

/// A context, and which of its objects is which.
final class LawWorld {
  private(set) var context: ManagedObjectContext
  /// How its store is made to fail; nil in memory.
  private(set) var fault: (any LawFault)?
  private(set) var ids: [Int: ObjectID] = [:]
  private(set) var numbers: [ObjectID: Int] = [:]

  /// A context in memory.
  init(_ law: LawModel) { context = ManagedObjectContext(mapping: law.mapping) }

  /// A context with a store.
  init(_ law: LawModel, _ place: any LawPlace) throws {
    (context, fault) = try place.openWorld(law.mapping)
  }

  /// Goes on with another context on the same objects, of which no id is known.
  func reopen(_ law: LawModel, _ place: any LawPlace) throws {
    (context, fault) = try place.openWorld(law.mapping)
    ids = [:]
    numbers = [:]
  }

  func bind(_ number: Int, _ id: ObjectID) {
    ids[number] = id
    numbers[id] = number
  }

  /// What came of an action: text that is to be the same everywhere, and objects in order.
  struct Outcome {
    var text = ""
    var objects: [ObjectID] = []

    /// Adds an object, or a sign that there is none.
    mutating func add(_ object: ObjectID?) {
      text += object == nil ? " none" : " object"
      if let object { objects.append(object) }
    }
  }

  func perform(_ action: LawAction) -> Outcome {
    var outcome = Outcome()
    do {
      try perform(action, &outcome)
    } catch let error as GrootError {
      outcome.objects = []
      outcome.text = "fails: " + Self.describe(error.issues)
    } catch {
      outcome.text = "fails: \(error)"
    }
    return outcome
  }

  func save() -> GrootError? {
    do {
      try context.save()
      return nil
    } catch {
      return error
    }
  }

  /// Issues without messages, which may name objects by their ids.
  static func describe(_ issues: [GrootIssue]) -> String {
    issues.map { "\($0.status) at \($0.path) \($0.entity).\($0.property)" }.joined(separator: "; ")
  }

  /// The same for a save, which finds what is wrong in no certain order.
  static func describeUnordered(_ issues: [GrootIssue]) -> String {
    issues.map { describe([$0]) }.sorted().joined(separator: "; ")
  }

  private func id(_ number: Int) -> ObjectID { ids[number] ?? ObjectID(rawValue: 0) }

  private func perform(_ action: LawAction, _ outcome: inout Outcome) throws {
    switch action {
    case .insert(let entity): outcome.add(try context.insert(entity).id)
    case .delete(let object): try context.delete(id(object))
    case .setValue(let object, let name, let value):
      try context.setValue(value, for: .name(name), of: id(object))
    case .setTarget(let object, let name, let target):
      try context.setTarget(target.map(id), for: .name(name), of: id(object))
    case .add(let object, let name, let member):
      try context.add(id(member), to: .name(name), of: id(object))
    case .remove(let object, let name, let member):
      try context.remove(id(member), from: .name(name), of: id(object))
    case .setMembers(let object, let name, let members):
      try context.setMembers(members.map(id), for: .name(name), of: id(object))
    case .fill(let object, let json):
      describe(try context.fill(id(object), from: .value(json)), &outcome)
    case .importRecords(let entity, let json, let settings):
      let result = try importRecords(entity, json, settings)
      for object in result.ids { outcome.add(object) }
      describe(result.report, &outcome)
    case .sync(let entity, let json, let sync):
      let result = try context.sync(entity, with: sync.form.input(json), options: sync.options(id))
      for object in result.ids { outcome.add(object) }
      describe(result.report, &outcome)
    case .value(let object, let name):
      outcome.text = "\(try context.value(.name(name), of: id(object)))"
    case .target(let object, let name):
      outcome.add(try context.target(.name(name), of: id(object)))
    case .members(let object, let name):
      for member in try context.members(.name(name), of: id(object)) { outcome.add(member) }
    case .memberCount(let object, let name):
      outcome.text = "\(try context.memberCount(.name(name), of: id(object)))"
    case .contains(let object, let name, let member):
      outcome.text = "\(try context.contains(id(member), in: .name(name), of: id(object)))"
    case .status(let object):
      outcome.text = "\(context.status(of: id(object)))"
    case .export(let objects): outcome.text = try export(objects.map(id))
    case .fetch(let request):
      for object in try context.fetchIDs(request) { outcome.add(object) }
    case .count(let request): outcome.text = "\(try context.count(request))"
    case .distinct(let key, let request):
      outcome.text = "\(try context.distinct(key, request: request))"
    case .aggregate(let request): outcome.text = "\(try context.aggregateValue(request))"
    case .column(let entity, let name, let objects):
      let column = try context.column(name, of: entity, objects: objects.map(id))
      if column.kind == .object {
        column.values.withMemoryRebound(to: UInt64.self) { targets in
          for target in targets { outcome.add(target == 0 ? nil : ObjectID(rawValue: target)) }
        }
      } else {
        outcome.text =
          "\(column.nullCount) \(Array(column.values)) \(column.offsets.map(Array.init) ?? [])"
      }
    }
  }

  private func export(_ objects: [ObjectID]) throws -> String {
    try context.exportText(objects.map { try context.object($0) })
  }

  private func importRecords(
    _ entity: String, _ json: JSONValue, _ settings: LawImport
  ) throws -> ImportResult {
    guard settings.form == .pieces else {
      let input = settings.form.input(json)
      return try context.importJSON(input, into: entity, options: settings.options)
    }
    let stream = try context.beginImport(into: entity, options: settings.options)
    let text = json.description
    let middle = text.index(text.startIndex, offsetBy: text.count / 2)
    try stream.write(String(text[..<middle]))
    try stream.write(String(text[middle...]))
    return try stream.finish()
  }

  private func describe(_ report: ImportReport, _ outcome: inout Outcome) {
    outcome.text +=
      " \(report.inserted) inserted, \(report.updated) updated, \(report.unchanged) unchanged,"
      + " \(report.deleted) deleted, \(report.skipped) skipped; \(Self.describe(report.issues))"
    for change in report.changes {
      outcome.text += "; \(change.entity) \(change.kind)"
      for (name, old, new) in change.properties {
        // The values of relationships are ids, also of what is not there any more.
        let isAttribute = (try? isAttribute(name, change.entity)) ?? false
        outcome.text += isAttribute ? " \(name) \(old) \(new)" : " \(name)"
        if !isAttribute { describe(old, &outcome); describe(new, &outcome) }
      }
    }
    for lists in [report.accessed, report.unaccessed] {
      for (entity, objects) in lists.sorted(by: { $0.key < $1.key }) {
        outcome.text += "; \(entity) "
        for object in objects { outcome.add(object) }
      }
    }
  }

  /// The living ones of the objects that a relationship leads to, in their order, and how many others.
  private func describe(_ value: JSONValue, _ outcome: inout Outcome) {
    outcome.text += " ["
    for number in value.arrayValue ?? [value] {
      guard case .integer(let id) = number else { continue }
      let object = ObjectID(rawValue: UInt64(bitPattern: id))
      let isThere = context.status(of: object) == .ok
      outcome.text += isThere ? "" : " gone"
      if isThere { outcome.add(object) }
    }
    outcome.text += "]"
  }

  private func isAttribute(_ name: String, _ entity: String) throws -> Bool {
    try context.model.property(named: name, of: context.model.index(of: entity)).attribute != nil
  }
}
