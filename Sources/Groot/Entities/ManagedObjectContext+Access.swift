// Reading and writing the properties of typed objects, which cannot throw.

extension ManagedObjectContext {
  /// Throws the first failure in reading or writing a typed object's property.
  ///
  /// Imports, exports, fetches, aggregates, saves and refreshes do this first, once for each
  /// failure. ``rollback()`` discards it.
  ///
  /// - Throws: as reading or writing the property of a ``ManagedObject``; ``Status/missingValue``
  ///   or ``Status/wrongType`` for a value that does not fit the type of the property.
  public func checkAccess() throws(GrootError) { try accessFailure.check() }

  /// Returns whether an object exists and is of an entity or its descendants.
  func isObject(_ object: ObjectID, of type: (some Entity).Type) -> Bool {
    do {
      return try exclusively {
        let record = try graph.record(object)
        let entity = try model.index(of: type.entity.name)
        return model.isKind(graph.entity(record, in: object.table), of: entity)
      }
    } catch {
      return false
    }
  }

  /// Returns the value of an attribute; for ``Entity``.
  @inlinable
  public func read<Content>(_ attribute: Attribute<Content>, of object: ObjectID) -> Content {
    do {
      let value = try value(.key(attribute.propertyKey), of: object)
      if let content = Content(attributeValue: value) { return content }
      note(unsuitable(value, for: attribute, of: object))
    } catch {
      note(error)
    }
    return .absent
  }

  /// Keeps a failure for the next call that throws.
  @usableFromInline
  func note(_ error: GrootError) { accessFailure.note(error) }

  @usableFromInline @inline(never)
  func unsuitable<Content>(
    _ value: Value, for attribute: Attribute<Content>, of object: ObjectID
  ) -> GrootError {
    let found = value.isNull ? "no value" : "\(value.kindName), \(value.json)"
    return GrootError(
      value.isNull ? .missingValue : .wrongType,
      "the attribute has \(found), where the type of the property, \(Content.self), has no room "
        + "for it", entity: (try? entity(of: object).name) ?? "",
      property: attribute.propertyKey.name)
  }

  /// Sets an attribute; for ``Entity``.
  ///
  /// - Parameters:
  ///   - content: The value.
  ///   - attribute: The attribute.
  ///   - object: The id of the object.
  @inlinable
  public func write<Content>(
    _ content: Content, to attribute: Attribute<Content>, of object: ObjectID
  ) {
    do {
      try setValue(content.attributeValue, for: .key(attribute.propertyKey), of: object)
    } catch {
      note(error)
    }
  }

  /// Returns the member of a to-one relationship; for ``Entity``.
  @inlinable
  public func read<Destination>(
    _ relationship: ToOne<Destination>, of object: ObjectID
  ) -> Destination? {
    do {
      guard let id = try target(.key(relationship.propertyKey), of: object) else { return nil }
      return Destination(managedObject: ManagedObject(context: self, id: id))
    } catch {
      note(error)
      return nil
    }
  }

  /// Sets a to-one relationship; for ``Entity``.
  ///
  /// - Parameters:
  ///   - target: The member; nil for none.
  ///   - relationship: The relationship.
  ///   - object: The id of the object.
  public func write<Destination>(
    _ target: Destination?, to relationship: ToOne<Destination>, of object: ObjectID
  ) {
    noting {
      if let target {
        try requireOwn(target.managedObject.context, property: relationship.propertyKey.name)
      }
      try setTarget(target?.managedObject.id, for: .key(relationship.propertyKey), of: object)
    }
  }

  /// Returns the members of a to-many relationship; for ``Entity``.
  public func read<Destination>(
    _ relationship: ToMany<Destination>, of object: ObjectID
  ) -> Members<Destination> {
    Members(noting { try members(.key(relationship.propertyKey), of: object) } ?? [], in: self)
  }

  /// Sets the members of a to-many relationship; for ``Entity``.
  ///
  /// - Parameters:
  ///   - members: The members.
  ///   - relationship: The relationship.
  ///   - object: The id of the object.
  public func write<Destination>(
    _ members: Members<Destination>, to relationship: ToMany<Destination>, of object: ObjectID
  ) {
    noting {
      if !members.isEmpty {
        try requireOwn(
          members.isMixed ? nil : members.context, property: relationship.propertyKey.name)
      }
      try setMembers(members.ids, for: .key(relationship.propertyKey), of: object)
    }
  }

  /// Runs an access, and keeps its failure for the next call that throws.
  @discardableResult
  private func noting<Result>(_ body: () throws -> Result) -> Result? {
    do {
      return try body()
    } catch {
      note(GrootError(carrying: error))
      return nil
    }
  }
}
