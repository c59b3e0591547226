@testable import Groot

/// Everything that the objects of a context hold, for comparing two states.
struct ReportSnapshot {
  struct Object {
    let entity: String
    /// The names of its to-many relationships.
    let lists: Set<String>
    /// Those of them that have no order.
    let unordered: Set<String>
    /// By name: values, the numbers of targets, lists of the numbers of members.
    let values: [String: JSONValue]
  }

  private(set) var objects: [ObjectID: Object] = [:]

  init(_ context: ManagedObjectContext) throws {
    for root in context.model.resolved where root.parent == nil {
      for id in try context.fetchIDs(FetchRequest(root.name)) {
        let entity = try context.entityIndex(of: id)
        var values: [String: JSONValue] = [:]
        var (lists, unordered): (Set<String>, Set<String>) = ([], [])
        for property in context.model.namedProperties(of: entity) {
          values[property.name] = try Self.value(property, id, context)
          guard let relationship = property.relationship, relationship.isToMany else { continue }
          lists.insert(property.name)
          if !relationship.isOrdered { unordered.insert(property.name) }
        }
        objects[id] = Object(
          entity: context.model.resolved[entity].name, lists: lists,
          unordered: unordered, values: values)
      }
    }
  }

  private static func value(
    _ property: Property, _ id: ObjectID, _ context: ManagedObjectContext
  ) throws -> JSONValue {
    let name = PropertyReference.name(property.name)
    if property.attribute != nil { return try context.value(name, of: id).json }
    func number(_ object: ObjectID) -> JSONValue { .integer(Int64(bitPattern: object.rawValue)) }
    if property.field.isToMany { return .array(try context.members(name, of: id).map(number)) }
    return try context.target(name, of: id).map(number) ?? .null
  }
}

/// What differs between two snapshots.
struct ReportDifference {
  private(set) var inserted: Set<ObjectID> = []
  private(set) var deleted: Set<ObjectID> = []
  /// The names of the properties that differ, by object.
  private(set) var updated: [ObjectID: Set<String>] = [:]
  let before: ReportSnapshot
  let after: ReportSnapshot

  init(_ before: ReportSnapshot, _ after: ReportSnapshot) {
    self.before = before
    self.after = after
    inserted = Set(after.objects.keys).subtracting(before.objects.keys)
    deleted = Set(before.objects.keys).subtracting(after.objects.keys)
    for (id, old) in before.objects {
      guard let new = after.objects[id] else { continue }
      // What was only named before may be of a sub-entity now, and have more properties.
      let names = new.values.keys.filter { name in
        if old.values[name] == nil {
          return new.values[name] != (new.lists.contains(name) ? .array([]) : .null)
        }
        let isUnordered = old.unordered.contains(name)
        return Self.describe(old.values[name], isUnordered)
          != Self.describe(new.values[name], isUnordered)
      }
      if !names.isEmpty || old.entity != new.entity { updated[id] = Set(names) }
    }
  }

  var counts: ChangeCounts {
    ChangeCounts(inserted: inserted.count, updated: updated.count, deleted: deleted.count)
  }

  /// Text that is the same when the values are; 0.0 is not -0.0.
  private static func describe(_ value: JSONValue?, _ isUnordered: Bool) -> String {
    guard isUnordered, let members = value?.arrayValue else { return "\(value ?? .null)" }
    return "\(members.map(\.description).sorted())"
  }

  /// What is wrong with a report; nil when nothing is.
  func fault(in report: ImportReport) -> String? {
    let found = ChangeCounts(
      inserted: report.inserted, updated: report.updated, deleted: report.deleted)
    guard found == counts else { return "the report counts \(found), what differs is \(counts)" }
    guard report.unchanged >= 0, report.unchanged + report.updated <= before.objects.count else {
      return "\(report.unchanged) unchanged of \(before.objects.count)"
    }
    guard report.changes.count == inserted.count + updated.count + deleted.count else {
      return "\(report.changes.count) changes are listed, what differs is \(counts)"
    }
    for change in report.changes {
      if let fault = fault(in: change) { return "\(change.kind) \(change.object): \(fault)" }
    }
    return nil
  }

  private func fault(in change: ImportReport.Change) -> String? {
    let old = before.objects[change.object]
    let new = after.objects[change.object]
    guard change.entity == (new ?? old)?.entity else { return "is no \(change.entity)" }
    let expected: Set<String>
    switch change.kind {
    case .inserted:
      guard inserted.contains(change.object) else { return "was there" }
      expected = Self.filled(new)
    case .deleted:
      guard deleted.contains(change.object) else { return "is there" }
      expected = Self.filled(old)
    case .updated:
      guard let names = updated[change.object] else { return "does not differ" }
      expected = names
    }
    let names = change.properties.map(\.name)
    guard names.count == expected.count, Set(names) == expected else {
      return "\(names) are listed, \(expected.sorted()) differ"
    }
    for (name, from, to) in change.properties {
      let last = new?.values[name] ?? .null
      // A relationship to many that an object's entity did not have before had no members.
      let nothing: JSONValue = old != nil && new?.lists.contains(name) == true ? [] : .null
      let first = old?.values[name] ?? nothing
      guard "\(from)" == "\(first)", "\(to)" == "\(last)" else {
        return "\(name) went from \(first) to \(last), listed are \(from) and \(to)"
      }
    }
    return nil
  }

  private static func filled(_ object: ReportSnapshot.Object?) -> Set<String> {
    guard let object else { return [] }
    return Set(
      object.values.filter { $0.value != (object.lists.contains($0.key) ? [] : .null) }.keys)
  }
}
