// Elements under keys.

/// The keys under which an export has written objects, where two could have the same.
final class WrittenKeys: @unchecked Sendable {
  fileprivate var texts: Set<[UInt8]> = []

  func removeAll() { texts.removeAll() }
}

extension Exporter {
  /// Writes the key of an element, or begins its group.
  ///
  /// - Throws: ``Status/missingValue`` when it has none, ``Status/invalidArgument`` when another has
  ///   the same in a keyed collection.
  func writeElementKey(_ object: ObjectID) throws {
    let start = writer.position
    let key = try elementKey(object)
    if form == .grouped {
      if openGroup == key { return writer.truncate(to: start) }
      writer.truncate(to: start)
      if openGroup != nil { endArray() }
      openGroup = key
      key.withUnsafeBufferPointer { writer.raw($0) }
      beginArray()
      depth = elementDepth
      return
    }
    let record = try graph.record(object)
    let entity = plan.entities + PlanIndex(of: graph.entity(record, in: object.table))
    isKeyed = true
    if entity.hasUniqueKeys && !entity.isScoped { return }
    guard keys.texts.insert(key).inserted else {
      throw GrootError(
        .invalidArgument,
        "two objects have the key \(String(decoding: key.dropLast(), as: UTF8.self))",
        entity: graph.entityName(record, in: object.table))
    }
  }

  /// Writes the key of an object, and answers its text.
  private func elementKey(_ object: ObjectID) throws -> [UInt8] {
    let record = try graph.record(object)
    let number = PlanIndex(of: graph.entity(record, in: object.table))
    let start = writer.position
    guard
      try writeKey(
        of: ObjectKey(table: object.table, row: object.row), entity: plan.entities + number)
    else {
      throw GrootError(
        .missingValue, "the object has no key that it could stand under",
        entity: graph.entityName(record, in: object.table))
    }
    return Array(writer.bytes[start..<writer.position])
  }

  /// Objects in the order of their groups, which is that of the first of each.
  func grouped(_ objects: UnsafeBufferPointer<ObjectID>) throws -> [ObjectID] {
    var groups: [[UInt8]: Int] = [:]
    var order: [(group: Int, offset: Int)] = []
    for index in objects.indices {
      try read(objects, at: index)
      let start = writer.position
      let key = try elementKey(objects[index])
      writer.truncate(to: start)
      let group = groups[key] ?? groups.count
      groups[key] = group
      order.append((group, index))
    }
    return order.sorted(by: <).map { objects[$0.offset] }
  }
}
