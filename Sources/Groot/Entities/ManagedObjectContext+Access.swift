#if Entities

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

  /// Keeps a failure for the next call that throws.
  @usableFromInline
  func note(_ error: GrootError) { accessFailure.note(error) }

  /// Keeps a failure in reading or writing a property of an object.
  @usableFromInline @inline(never)
  func note(_ error: GrootError, in access: PropertyAccess, of key: PropertyKey) {
    guard error.status == .objectDeleted, let issue = error.issues.first else { return note(error) }
    note(
      GrootError(
        .objectDeleted,
        "\(access.rawValue) after delete: \(issue.message); "
          + "ask its managedObject.isDeleted first", entity: issue.entity, property: key.name))
  }

  /// Runs an access, and keeps its failure for the next call that throws.
  @discardableResult
  func noting<Result>(
    _ access: PropertyAccess, of key: PropertyKey, body: () throws -> Result
  ) -> Result? {
    do {
      return try body()
    } catch {
      note(GrootError(carrying: error), in: access, of: key)
      return nil
    }
  }
}

/// A use of a property.
@usableFromInline
enum PropertyAccess: String {
  case read
  case write
}

#endif
