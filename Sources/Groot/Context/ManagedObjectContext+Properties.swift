// Properties of objects, one by one and by column.

// Reading and setting properties.

extension ManagedObjectContext {
  /// Returns the record of a living object, and the field of a property.
  @inline(__always)
  private func field(
    _ reference: PropertyReference, of object: ObjectID
  ) throws -> (record: UnsafeMutableRawPointer, field: Field) {
    let (record, table) = (try graph.record(object), object.table)
    if let coordinator { try coordinator.read(object.row, in: table) }
    let entity = graph.entity(record, in: table)
    let number: Int? =
      switch reference {
      case .key(let key): propertyNumbers.number(of: key, entity: entity, model: model)
      case .name(let name): model.resolved[entity].numberByName[name]
      case .number: nil
      }
    if let number { return (record, graph.fields[table][number]) }
    return (record, try property(reference, of: object).field)
  }

  /// Returns the value of an attribute.
  ///
  /// - Throws: ``Status/objectDeleted``, ``Status/unknownObject``, ``Status/unknownProperty``;
  ///   ``Status/wrongType`` for a relationship; the statuses of stores, if one is read.
  public func value(_ reference: PropertyReference, of object: ObjectID) throws(GrootError) -> Value
  {
    try exclusively {
      let (record, field) = try field(reference, of: object)
      guard !field.isRelationship else {
        throw notAn("attribute", property: try property(reference, of: object))
      }
      try coordinator?.requireReadable(object.row, in: object.table, field: field)
      let value = StoredValue(record, field: field, table: graph.tables + object.table)
      return Value(value, as: field.type)
    }
  }

  /// Sets an attribute; a whole number fits a real or decimal attribute, nothing else is converted.
  ///
  /// - Parameters:
  ///   - value: The value; ``Value/null`` removes the existing one.
  ///   - reference: The attribute.
  ///   - object: The id of the object.
  /// - Throws: as ``value(_:of:)``; ``Status/wrongType``, ``Status/outOfRange``;
  ///   ``Status/limitExceeded`` for text and bytes that are too long, and for JSON of more than
  ///   ``Value/maximumLevels`` levels.
  public func setValue(
    _ value: Value, for reference: PropertyReference, of object: ObjectID
  ) throws(GrootError) {
    try changing {
      let (_, field) = try field(reference, of: object)
      guard !field.isRelationship, let fitted = value.fitted(to: field.type) else {
        throw unfit(value, for: try property(reference, of: object))
      }
      try fitted.withStored(field.type) {
        guard $0.count <= graph.maximumTextLength else {
          throw tooLong($0.count, for: try property(reference, of: object))
        }
        if ValueKind(field.type) == .json, JSONNesting.isDeeper($0.bytes, than: Value.maximumLevels)
        {
          let property = try property(reference, of: object)
          throw Value.tooDeep(
            entity: model.resolved[property.entity].name, property: property.name)
        }
        if graph.hasLimits, !graph.limits.hold($0, as: field.type),
          let reason = graph.objection($0, field.type)
        {
          let property = try property(reference, of: object)
          throw GrootError(
            .outOfRange, reason, entity: model.resolved[property.entity].name,
            property: property.name)
        }
        if !$0.isPresent {
          coordinator?.replaceUnreadable(object.row, in: object.table, field: field)
        }
        graph.set(object.row, in: object.table, field: field, to: $0)
        coordinator?.noteClaim(object.row, in: object.table, number: field.number)
      }
    }
  }

  /// Removes the value of an attribute, or the members of a relationship.
  ///
  /// - Throws: as ``setValue(_:for:of:)``.
  public func clear(_ reference: PropertyReference, of object: ObjectID) throws(GrootError) {
    let field = try exclusively { try self.field(reference, of: object).field }
    if !field.isRelationship {
      try setValue(.null, for: reference, of: object)
    } else if field.isToMany {
      try setMembers([], for: reference, of: object)
    } else {
      try setTarget(nil, for: reference, of: object)
    }
  }

  private func unfit(_ value: Value, for property: Property) -> GrootError {
    guard let type = property.attribute?.type else { return notAn("attribute", property: property) }
    return GrootError(
      value.isOutOfRange(of: type) ? .outOfRange : .wrongType,
      "the value " + (value.conversionFailure(of: type) ?? ""),
      entity: model.resolved[property.entity].name, property: property.name)
  }

  private func tooLong(_ count: Int, for property: Property) -> GrootError {
    GrootError(
      .limitExceeded,
      "the value has \(count) bytes, and an attribute holds \(graph.maximumTextLength)",
      entity: model.resolved[property.entity].name, property: property.name)
  }

  /// Returns the member of a to-one relationship; nil without a member.
  ///
  /// - Throws: as ``value(_:of:)``; ``Status/wrongType`` when it is not a to-one relationship.
  public func target(_ reference: PropertyReference, of object: ObjectID) throws(GrootError)
    -> ObjectID?
  {
    try exclusively {
      let (_, field) = try field(reference, of: object)
      guard field.isRelationship, !field.isToMany else {
        throw notAn("to-one relationship", property: try property(reference, of: object))
      }
      try coordinator?.requireReadable(object.row, in: object.table, field: field)
      let row = graph.target(graph.links[field.link], side: field.side, row: object.row)
      return row.index.map { graph.tables[graph.destination(field)].id($0) }
    }
  }

  /// Sets a to-one relationship and its inverse.
  ///
  /// - Parameters:
  ///   - target: The id of the member; nil for none.
  ///   - reference: The relationship.
  ///   - object: The id of the object.
  /// - Throws: as ``target(_:of:)``; ``Status/wrongType`` when the member is not of the
  ///   destination's entity.
  public func setTarget(
    _ target: ObjectID?, for reference: PropertyReference, of object: ObjectID
  ) throws(GrootError) {
    try changing {
      let property = try toOne(reference, object: object)
      let row = try target.map { OptionalRow(try self.row($0, for: property)) } ?? .none
      try coordinator?.prefetchTarget(property.field, row: object.row, target: row)
      graph.setTarget(property.field.link, side: property.field.side, row: object.row, to: row)
      coordinator?.noteClaim(object.row, in: object.table, number: property.field.number)
      if let member = row.index {
        coordinator?.noteClaims(members: CollectionOfOne(member), of: property.field)
      }
    }
  }

  /// Returns the members of a to-many relationship, in order.
  ///
  /// - Throws: as ``value(_:of:)``; ``Status/wrongType`` when it is not a to-many relationship.
  public func members(_ reference: PropertyReference, of object: ObjectID) throws(GrootError)
    -> [ObjectID]
  {
    try exclusively {
      let field = try list(reference, object: object).field
      let table = graph.tables + graph.destination(field)
      return graph.members(of: object.row, field: field).map { table.pointee.id($0) }
    }
  }

  /// Returns the number of members of a to-many relationship.
  ///
  /// The time is constant.
  ///
  /// - Throws: as ``members(_:of:)``.
  public func memberCount(_ reference: PropertyReference, of object: ObjectID) throws(GrootError)
    -> Int
  {
    try exclusively {
      let field = try list(reference, object: object).field
      return Int(graph.memberCount(of: object.row, field: field))
    }
  }

  /// Returns whether an object is a member of a to-many relationship.
  ///
  /// The time is constant.
  ///
  /// - Parameters:
  ///   - member: The id of the object that may be a member.
  ///   - reference: The relationship.
  ///   - object: The id of the object that has the relationship.
  /// - Throws: as ``members(_:of:)``; ``Status/wrongType`` when the member is not of the
  ///   destination's entity.
  public func contains(
    _ member: ObjectID, in reference: PropertyReference, of object: ObjectID
  ) throws(GrootError) -> Bool {
    try exclusively {
      let property = try list(reference, object: object)
      return graph.contains(
        try row(member, for: property), in: property.field, of: object.row)
    }
  }

  /// Adds a member at the end, unless it is one already.
  ///
  /// The time is constant.
  ///
  /// - Parameters:
  ///   - member: The id of the new member.
  ///   - reference: The relationship.
  ///   - object: The id of the object that has the relationship.
  /// - Throws: as ``members(_:of:)``; ``Status/wrongType`` when the member is not of the
  ///   destination's entity.
  public func add(
    _ member: ObjectID, to reference: PropertyReference, of object: ObjectID
  ) throws(GrootError) {
    try changing {
      let property = try list(reference, object: object)
      let row = try row(member, for: property)
      try graph.requireRoom(changes: 1, links: 1, of: property.field)
      try graph.add(row, to: property.field, of: object.row)
      coordinator?.noteClaims(members: CollectionOfOne(row), of: property.field)
    }
  }

  /// Removes a member, if the object is one.
  ///
  /// The time is constant.
  ///
  /// - Parameters:
  ///   - member: The id of the member.
  ///   - reference: The relationship.
  ///   - object: The id of the object that has the relationship.
  /// - Throws: as ``members(_:of:)``; ``Status/wrongType`` when the member is not of the
  ///   destination's entity.
  public func remove(
    _ member: ObjectID, from reference: PropertyReference, of object: ObjectID
  ) throws(GrootError) {
    try changing {
      let property = try list(reference, object: object)
      graph.remove(
        try row(member, for: property), from: property.field, of: object.row)
    }
  }

  /// Sets the members of a to-many relationship, in their order and without repeats.
  ///
  /// - Parameters:
  ///   - members: The ids of the members.
  ///   - reference: The relationship.
  ///   - object: The id of the object that has the relationship.
  /// - Throws: as ``members(_:of:)``; ``Status/wrongType`` when a member is not of the
  ///   destination's entity.
  public func setMembers(
    _ members: [ObjectID], for reference: PropertyReference, of object: ObjectID
  ) throws(GrootError) {
    try GrootError.carrying {
      try members.withUnsafeBufferPointer { try setMembers($0, for: reference, of: object) }
    }
  }

  /// Sets the members of a to-many relationship to objects in borrowed memory.
  package func setMembers(
    _ members: UnsafeBufferPointer<ObjectID>, for reference: PropertyReference, of object: ObjectID
  ) throws {
    try changing {
      let property = try list(reference, object: object)
      // The list grows with the objects that are found, since the given count may be wrong.
      var rows: [Row] = []
      rows.reserveCapacity(min(members.count, 4096))
      for member in members {
        try rows.append(row(member, for: property), within: graph.memory)
      }
      let few = min(rows.count, 16)
      try graph.requireRoom(changes: few, links: few, of: property.field)
      _ = try rows.withUnsafeBufferPointer {
        try graph.setMembers(of: object.row, field: property.field, to: $0, setsOrder: true)
      }
      coordinator?.noteClaims(members: rows, of: property.field)
    }
  }

  private func toOne(_ reference: PropertyReference, object: ObjectID) throws -> Property {
    let property = try property(reference, of: object)
    guard property.field.isRelationship, !property.field.isToMany else {
      throw notAn("to-one relationship", property: property)
    }
    return property
  }

  private func toMany(_ reference: PropertyReference, object: ObjectID) throws -> Property {
    let property = try property(reference, of: object)
    guard property.field.isToMany else { throw notAn("to-many relationship", property: property) }
    return property
  }

  /// Returns a to-many relationship after reading all its members into memory.
  private func list(_ reference: PropertyReference, object: ObjectID) throws -> Property {
    let property = try toMany(reference, object: object)
    try coordinator?.prefetchList(object.row, in: object.table, field: property.field)
    return property
  }

  func notAn(_ kind: String, property: Property) -> GrootError {
    let actual =
      property.attribute != nil
      ? "an attribute"
      : property.field.isToMany ? "a to-many relationship" : "a to-one relationship"
    return GrootError(
      .wrongType, "the property is \(actual), not the \(kind) that the call is for",
      entity: model.resolved[property.entity].name, property: property.name)
  }

  /// Returns the row of an object that will become a member of a relationship.
  private func row(_ member: ObjectID, for property: Property) throws -> Row {
    let record = try graph.record(member)
    let entity = graph.entity(record, in: member.table)
    let destination = property.relationship?.destination ?? ""
    guard let wanted = try? model.index(of: destination), model.isKind(entity, of: wanted) else {
      throw GrootError(
        .wrongType,
        "an object of '\(model.resolved[entity].name)' cannot be a member; the destination is "
          + "'\(destination)'", entity: model.resolved[property.entity].name,
        property: property.name)
    }
    try coordinator?.prefetchMember(property.field, member: member.row)
    return member.row
  }
}

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
      if let coordinator, !coordinator.unreadable.isEmpty {
        for object in objects where graph.isLive(object) {
          try coordinator.requireReadable(object.row, in: object.table, field: property.field)
        }
      }
      let column = try Column(
        property.attribute.map { ValueKind($0.type) } ?? .object, count: objects.count,
        graph.memory)
      let (field, resolved) = (property.field, model.resolved[number])
      let (hierarchy, subtree) = (resolved.hierarchy, resolved.subtree)
      func record(_ index: Int) throws -> UnsafeMutableRawPointer {
        let record = try graph.record(objects[index])
        let local = record.assumingMemoryBound(to: RecordHeader.self).pointee.entity
        guard objects[index].table == hierarchy, subtree.contains(local) else {
          throw notOf(entity, property: name, record: record, id: objects[index])
        }
        return record
      }
      if column.hasWords, !field.isRelationship {
        let (table, offset) = (graph.tables + hierarchy, Int(field.offset))
        try column.fill { index in
          let record = try record(index)
          guard table.pointee.has(field, in: record) else { return nil }
          return record.load(fromByteOffset: offset, as: UInt64.self)
        }
        return column
      }
      let scratch = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.readingScratchSize)
      defer { scratch.deallocate() }
      for index in objects.indices {
        try column.append(
          reading(record(index), field: field, object: objects[index], scratch: scratch),
          at: index)
      }
      return column
    }
  }

  /// Writes the keys that objects have in the store; 0 for those that were not saved.
  package func writeKeys(
    of objects: UnsafeBufferPointer<ObjectID>, to keys: UnsafeMutableBufferPointer<Int64>
  ) throws {
    try exclusively {
      for object in objects { _ = try graph.record(object) }
      guard let coordinator else { return }
      for (index, object) in objects.enumerated() {
        keys[index] = coordinator.keys[object.table][object.row].key
      }
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
