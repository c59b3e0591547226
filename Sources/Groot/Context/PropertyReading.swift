/// The value of a property in a flat form for the C interface.
package struct PropertyReading {
  package var kind: ValueKind
  /// The bits of an integer, real, boolean, date or day, or an object's id.
  package var word: UInt64
  /// Text, borrowed from the graph or from the caller's scratch.
  package var start: UnsafePointer<UInt8>?
  package var count: Int
}

extension ManagedObjectContext {
  /// The size of the scratch memory that ``read(_:number:scratch:)`` may need for a text.
  package static let readingScratchSize = 64

  /// Reads an attribute or a to-one relationship during a call of ``exclusively(_:)``.
  ///
  /// - Parameter scratch: Memory for the text of decimals and UUIDs.
  @inline(__always)
  package func readInUse(
    _ object: ObjectID, number: Int32, scratch: UnsafeMutablePointer<UInt8>
  ) throws -> PropertyReading {
    let record = try graph.record(object)
    let table = object.table
    if let coordinator { try coordinator.read(object.row, in: table) }
    guard number >= 0, Int(number) < graph.model.hierarchies[table].properties.count else {
      throw unreadable(number, of: object)
    }
    let field = graph.fields[table][Int(number)]
    let entity = record.assumingMemoryBound(to: RecordHeader.self).pointee.entity
    guard field.belongs(to: entity), !field.isToMany else {
      throw unreadable(number, of: object)
    }
    try coordinator?.requireReadable(object.row, in: table, field: field)
    return reading(record, field: field, object: object, scratch: scratch)
  }

  /// Returns whether an object would have to be read from another machine first.
  @inline(__always)
  package func isFarFault(_ object: ObjectID) -> Bool {
    graph.isRemote && (try? graph.record(object)) != nil
      && graph.isFault(object.row, in: object.table)
  }

  /// Returns the value of a field that has one and is not a to-many relationship.
  @inline(__always)
  func reading(
    _ record: UnsafeRawPointer, field: Field, object: ObjectID,
    scratch: UnsafeMutablePointer<UInt8>
  ) -> PropertyReading {
    if field.isRelationship {
      let row = graph.target(graph.links[field.link], side: field.side, row: object.row)
      guard let row = row.index else {
        return PropertyReading(kind: .null, word: 0, start: nil, count: 0)
      }
      let id = graph.tables[graph.destination(field)].id(row)
      return PropertyReading(kind: .object, word: id.rawValue, start: nil, count: 0)
    }
    let value = StoredValue(record, field: field, table: graph.tables + object.table)
    guard value.isPresent else {
      return PropertyReading(kind: .null, word: 0, start: nil, count: 0)
    }
    let kind = ValueKind(field.type)
    switch kind {
    case .decimal:
      let count = value.decimal.write(into: scratch)
      return PropertyReading(kind: kind, word: 0, start: scratch, count: count)
    case .uuid:
      let count = UUIDValue(high: value.word0, low: value.word1).write(into: scratch)
      return PropertyReading(kind: kind, word: 0, start: scratch, count: count)
    default:
      return PropertyReading(
        kind: kind, word: value.word0, start: value.start, count: value.count)
    }
  }

  @inline(never)
  private func unreadable(_ number: Int32, of object: ObjectID) -> any Error {
    do {
      let property = try property(.number(number), of: object)
      return notAn("attribute or to-one relationship", property: property)
    } catch {
      return error
    }
  }
}

extension ManagedObjectContext {
  /// Returns whether a property of a living object is a to-one relationship.
  package func isToOne(_ number: Int32, of object: ObjectID) throws -> Bool {
    try exclusively {
      let field = try property(.number(number), of: object).field
      return field.isRelationship && !field.isToMany
    }
  }
}
