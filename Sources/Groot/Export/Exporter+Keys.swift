// The keys of elements in keyed and grouped collections.

extension Exporter {
  /// Writes the key of an element, or begins its group.
  ///
  /// - Throws: ``Status/missingValue`` without a key; ``Status/invalidArgument`` if another element
  ///   has the same key in a keyed collection.
  func writeElementKey(_ object: ObjectID) throws {
    let start = writer.position
    try writeKeyOfElement(object)
    if form == .grouped {
      if let openGroup, openGroup.elementsEqual(writer.bytes(from: start)) {
        return writer.truncate(to: start)
      }
      let key = Array(writer.bytes(from: start))
      if openGroup != nil {
        writer.truncate(to: start)
        endArray()
        key.withUnsafeBufferPointer { writer.raw($0) }
      }
      openGroup = key
      beginArray()
      depth = elementDepth
      return
    }
    let record = try graph.record(object)
    let entity = plan.entities + PlanIndex(of: graph.entity(record, in: object.table))
    isKeyed = true
    let isNew = try keys.insert(writer.bytes(from: start)).isNew
    if !isNew {
      throw try sameKey(ObjectKey(table: object.table, row: object.row), entity: entity)
    }
  }

  private func writeKeyOfElement(_ object: ObjectID) throws {
    let record = try graph.record(object)
    let number = PlanIndex(of: graph.entity(record, in: object.table))
    let key = ObjectKey(table: object.table, row: object.row)
    guard try writeKey(of: key, entity: plan.entities + number) else { throw keyless(key) }
  }

  /// Throws if objects that are identified by their keys would be written without keys.
  ///
  /// An import would take them for other objects.
  ///
  /// - Throws: ``Status/invalidArgument``.
  @inline(never)
  func requireKey(_ number: PlanIndex) throws {
    let range = plan.outputRanges[Int(plan.entities[number].firstRange) &+ variant]
    if range.needsKey && !plan.entities[number].isScoped { throw withoutKey(number) }
  }

  private func withoutKey(_ number: PlanIndex) -> GrootError {
    let name = graph.model.resolved[plan.entities[number].entity].name
    return GrootError(
      .invalidArgument,
      "the objects of '\(name)' are identified by their keys, which an array lacks; use the form "
        + "'keyed', or give the attribute a key among its groot.alternatives",
      entity: name)
  }

  /// Returns the error for an object without a key in a collection that needs one.
  func keyless(_ object: ObjectKey) -> GrootError {
    GrootError(
      .missingValue, "the object has no key",
      entity: graph.entityName(graph.tables[object.table].record(object.row), in: object.table))
  }

  /// Returns the error for an object with another object's key in a keyed collection.
  func sameKey(_ object: ObjectKey, entity: PlanPart<EntityPlan>) throws -> GrootError {
    let start = writer.position
    _ = try writeKey(of: object, entity: entity)
    let key = String(decoding: writer.bytes(from: start).dropLast(), as: UTF8.self)
    writer.truncate(to: start)
    let record = graph.tables[object.table].record(object.row)
    return GrootError(
      .invalidArgument,
      "two objects have the key \(key), which takes one; the form 'grouped' takes both",
      entity: graph.entityName(record, in: object.table))
  }

  /// Returns objects sorted by group, in the order in which the groups first occur.
  func grouped(_ objects: UnsafeBufferPointer<ObjectID>) throws -> [ObjectID] {
    listKeys.removeAll()
    var order: [(group: Int32, offset: Int)] = []
    order.reserveCapacity(objects.count)
    for index in objects.indices {
      try read(objects, at: index)
      let start = writer.position
      try writeKeyOfElement(objects[index])
      order.append((try listKeys.insert(writer.bytes(from: start)).number, index))
      writer.truncate(to: start)
    }
    return order.sorted(by: <).map { objects[$0.offset] }
  }
}
