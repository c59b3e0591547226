// Reading one property of many objects.

extension ManagedObjectContext {
  /// Reads an attribute or a to-one relationship of many objects.
  ///
  /// - Parameters:
  ///   - name: The property, which the entity has or inherits.
  ///   - entity: The name of the entity.
  ///   - objects: Objects of the entity and its descendants, in any order and with repeats.
  /// - Throws: ``Status/unknownEntity``, ``Status/unknownProperty``; ``Status/wrongType`` for a
  ///   to-many relationship, and for an object of another entity; ``Status/objectDeleted``.
  public func column(
    _ name: String, of entity: String, objects: [ObjectID]
  ) throws(GrootError) -> Column {
    try GrootError.carrying {
      try objects.withUnsafeBufferPointer { try column(name, of: entity, objects: $0) }
    }
  }

  /// Reads an attribute or a to-one relationship of many objects in borrowed memory.
  package func column(
    _ name: String, of entity: String, objects: UnsafeBufferPointer<ObjectID>
  ) throws -> Column {
    try exclusively {
      let number = try model.index(of: entity)
      let property = try model.property(named: name, of: number)
      guard !property.field.isToMany else {
        throw notAn("attribute or to-one relationship", property: property)
      }
      try coordinator?.read(objects)
      let kind = property.attribute.map { ValueKind($0.type) } ?? .object
      let column = try Column(kind, count: objects.count, graph.memory)
      let resolved = model.resolved[number]
      let scratch = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.readingScratchSize)
      defer { scratch.deallocate() }
      for index in objects.indices {
        let id = objects[index]
        let record = try graph.record(id)
        guard isKind(record, id: id, of: resolved) else {
          throw notOf(entity, property: name, record: record, id: id)
        }
        try column.append(
          reading(record, field: property.field, object: id, scratch: scratch), at: index)
      }
      return column
    }
  }

  /// Throws unless all objects exist and are of an entity or its descendants.
  package func requireKind(of entity: String, _ objects: UnsafeBufferPointer<ObjectID>) throws {
    try exclusively {
      let resolved = model.resolved[try model.index(of: entity)]
      for id in objects {
        let record = try graph.record(id)
        guard isKind(record, id: id, of: resolved) else {
          throw notOf(entity, property: "", record: record, id: id)
        }
      }
    }
  }

  @inline(__always)
  private func isKind(
    _ record: UnsafeMutableRawPointer, id: ObjectID, of entity: ResolvedEntity
  ) -> Bool {
    let local = record.assumingMemoryBound(to: RecordHeader.self).pointee.entity
    return id.table == entity.hierarchy && entity.subtree.contains(local)
  }

  private func notOf(
    _ entity: String, property: String, record: UnsafeMutableRawPointer, id: ObjectID
  ) -> GrootError {
    GrootError(
      .wrongType, "object \(id.rawValue) is of '\(graph.entityName(record, in: id.table))'",
      entity: entity, property: property)
  }

  /// Returns the attributes that an entity has or inherits, in the order of declaration.
  package func attributeNames(of entity: String) throws -> [String] {
    let resolved = model.resolved[try model.index(of: entity)]
    let properties = model.hierarchies[resolved.hierarchy].properties
    return resolved.attributes.map { properties[$0].name }
  }
}
