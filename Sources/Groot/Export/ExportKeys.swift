/// The keys of objects in keyed and grouped collections.
///
/// It may touch the text, which it leaves as it was where it only numbers keys, and the table of the
/// keys of one list.
final class ExportKeys {
  private let rules: ExportRules
  private let graph: Graph
  private let plan: Plan
  private let writer: JSONWriter
  private let values: ExportValues
  /// The keys of the members of the current list.
  private lazy var seen = KeyTable(graph.memory)

  init(_ rules: ExportRules, writer: JSONWriter, values: ExportValues) {
    self.rules = rules
    graph = rules.graph
    plan = rules.plan
    self.writer = writer
    self.values = values
  }

  /// Returns the key of a member in a keyed collection; nil without one.
  func key(of object: ObjectKey, entity: PlanPart<EntityPlan>) -> StoredValue? {
    guard entity.keyStep >= 0 else { return nil }
    let field = plan.steps[Int(entity.keyStep)].field
    let record = graph.tables[object.table].record(object.row)
    guard graph.tables[object.table].has(field, in: record) else { return nil }
    return StoredValue(record, field: field, table: graph.tables + object.table)
  }

  /// Writes the key of an object in a keyed collection; returns false without one.
  func write(keyOf object: ObjectKey, entity: PlanPart<EntityPlan>) throws -> Bool {
    guard let key = key(of: object, entity: entity) else { return false }
    let step = plan.steps + Int(entity.keyStep)
    if step.isWrittenAsStored {
      if step.field.type.isInteger { writer.key(key.integer) } else { writer.key(key.bytes) }
      return true
    }
    let start = writer.position
    try values.write(step, of: object)
    return writer.makeKey(from: start)
  }

  /// Writes the key of an object.
  ///
  /// - Throws: ``Status/missingValue`` without a key.
  func writeRequired(keyOf object: ObjectKey) throws {
    guard try write(keyOf: object, entity: plan.entities + rules.planNumber(of: object)) else {
      throw keyless(object)
    }
  }

  // MARK: The keys of a list

  /// Begins a list without keys.
  func beginList() { seen.removeAll() }

  /// Returns the number of the text of an object's key in the list, and whether it is new.
  ///
  /// - Throws: ``Status/missingValue`` without a key.
  func number(
    of object: ObjectKey, entity: PlanPart<EntityPlan>
  ) throws -> (number: Int32, isNew: Bool) {
    let start = writer.position
    defer { writer.truncate(to: start) }
    guard try write(keyOf: object, entity: entity) else { throw keyless(object) }
    return try seen.insert(writer.bytes(from: start))
  }

  /// Throws for objects without keys, or with the same key, by their stored values.
  ///
  /// It writes nothing, and returns false if different values may be written as the same key.
  ///
  /// - Throws: ``Status/missingValue``, ``Status/invalidArgument``.
  func haveStoredKeys(
    _ members: UnsafeMutableBufferPointer<ArrangedMember>, in table: TableIndex,
    step: PlanPart<StepPlan>
  ) throws -> Bool {
    guard let first = members.first else { return true }
    let plans = plan.entities
    let number = plans[rules.planNumber(ObjectKey(table: table, row: first.row), step: step)]
      .keyStep
    guard number >= 0 else { return false }
    let field = plan.steps[Int(number)].field
    let objects = graph.tables + table
    // Local copies of the references are not retained for each member.
    let (keys, hash) = (seen, Hash.ofProcess)
    try keys.reset(for: members.count)
    for member in members {
      let object = ObjectKey(table: table, row: member.row)
      let entity = plans + rules.planNumber(object, step: step)
      guard entity.keyStep >= 0 else { throw keyless(object) }
      let key = plan.steps + Int(entity.keyStep)
      guard key.field.number == field.number, key.isWrittenAsStored else { return false }
      let value = StoredValue(objects.pointee.record(object.row), field: field, table: objects)
      guard value.isPresent else { throw keyless(object) }
      let isNew = try keys.insert(value.hash(field.storage, from: 0, with: hash)) {
        let other = objects.pointee.record(members[Int($0)].row)
        return StoredValue(other, field: field, table: objects)
          .equals(value, storage: field.storage)
      }
      if !isNew { throw try sameKey(object, entity: entity) }
    }
    return true
  }

  /// Returns whether the values of a field in some rows, of which neighbours differ, all differ.
  func areDifferent(
    _ rows: UnsafeBufferPointer<Row>, field: Field, in table: TableIndex
  ) throws -> Bool {
    let objects = graph.tables + table
    func value(_ row: Row) -> StoredValue {
      StoredValue(objects.pointee.record(row), field: field, table: objects)
    }
    if rows.count <= 8 {
      for index in 0..<rows.count where index > 1 {
        let own = value(rows[index])
        for other in 0..<(index - 1) where value(rows[other]).equals(own, storage: field.storage) {
          return false
        }
      }
      return true
    }
    let (keys, hash) = (seen, Hash.ofProcess)
    try keys.reset(for: rows.count)
    for row in rows {
      let own = value(row)
      let isNew = try keys.insert(own.hash(field.storage, from: 0, with: hash)) {
        value(rows[Int($0)]).equals(own, storage: field.storage)
      }
      if !isNew { return false }
    }
    return true
  }

  // MARK: Errors

  /// Returns the error for an object without a key in a collection that needs one.
  func keyless(_ object: ObjectKey) -> GrootError {
    GrootError(
      .missingValue, "the object has no key",
      entity: graph.entityName(graph.tables[object.table].record(object.row), in: object.table))
  }

  /// Returns the error for an object with another object's key in a keyed collection.
  func sameKey(_ object: ObjectKey, entity: PlanPart<EntityPlan>) throws -> GrootError {
    let start = writer.position
    _ = try write(keyOf: object, entity: entity)
    let key = String(decoding: writer.bytes(from: start).dropLast(), as: UTF8.self)
    writer.truncate(to: start)
    let record = graph.tables[object.table].record(object.row)
    return GrootError(
      .invalidArgument,
      "two objects have the key \(key), which takes one; the form 'grouped' takes both",
      entity: graph.entityName(record, in: object.table))
  }

  /// Throws if objects that are identified by their keys would be written without keys.
  ///
  /// An import would take them for other objects.
  ///
  /// - Throws: ``Status/invalidArgument``.
  @inline(never)
  func requireKey(_ number: PlanIndex) throws {
    let isIdentifying = rules.outputRange(number).pointee.needsKey
    guard isIdentifying && !plan.entities[number].isScoped else { return }
    let name = graph.model.resolved[plan.entities[number].entity].name
    throw GrootError(
      .invalidArgument,
      "the objects of '\(name)' are identified by their keys, which an array lacks; use the form "
        + "'keyed', or give the attribute a key among its groot.alternatives",
      entity: name)
  }
}
