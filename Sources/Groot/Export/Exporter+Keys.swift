// Elements under keys.

extension Exporter {
  /// Writes the key of an element, or begins its group.
  ///
  /// - Throws: ``Status/missingValue`` when it has none, ``Status/invalidArgument`` when another has
  ///   the same in a keyed collection.
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
    if entity.hasUniqueKeys && !entity.isScoped { return }
    let key = writer.bytes(from: start)
    guard try keys.insert(key).isNew else {
      throw GrootError(
        .invalidArgument,
        "two objects have the key \(String(decoding: key.dropLast(), as: UTF8.self))",
        entity: graph.entityName(record, in: object.table))
    }
  }

  private func writeKeyOfElement(_ object: ObjectID) throws {
    let record = try graph.record(object)
    let number = PlanIndex(of: graph.entity(record, in: object.table))
    guard
      try writeKey(
        of: ObjectKey(table: object.table, row: object.row), entity: plan.entities + number)
    else {
      throw GrootError(
        .missingValue, "the object has no key that it could stand under",
        entity: graph.entityName(record, in: object.table))
    }
  }

  /// Objects in the order of their groups, which is that of the first of each.
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
