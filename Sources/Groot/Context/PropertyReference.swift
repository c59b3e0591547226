// The key of a property: its name (Swift) or its number (C).

/// The reference to a property of an object, by its name or by its number in the hierarchy.
public enum PropertyReference: Sendable, ExpressibleByStringLiteral {
  /// The name of a property.
  case name(String)
  /// The number of a property from ``ManagedObjectContext/propertyNumber(_:of:)``; faster.
  case number(Int32)
  /// The key of a typed entity's property.
  case key(PropertyKey)

  /// Makes a reference from a name.
  public init(stringLiteral name: String) { self = .name(name) }
}

extension ManagedObjectContext {
  /// Returns the number of a property, which is valid for the entity and all its descendants.
  ///
  /// - Throws: ``Status/unknownEntity``, ``Status/unknownProperty``.
  public func propertyNumber(_ name: String, of entity: String) throws(GrootError) -> Int32 {
    Int32(try model.property(named: name, of: model.index(of: entity)).number)
  }

  /// Returns the property of a reference in a living object.
  func property(_ reference: PropertyReference, of object: ObjectID) throws -> Property {
    let record = try graph.record(object)
    try coordinator?.read(object.row, in: object.table)
    let entity = graph.entity(record, in: object.table)
    switch reference {
    case .name(let name): return try model.property(named: name, of: entity)
    case .key(let key): return try model.property(named: key.name, of: entity)
    case .number(let number):
      let properties = model.hierarchies[object.table].properties
      let resolved = model.resolved[entity]
      guard properties.indices.contains(Int(number)),
        resolved.numberByName[properties[Int(number)].name] == Int(number)
      else {
        throw GrootError(
          .unknownProperty, "the entity has no property of the number \(number)",
          entity: resolved.name)
      }
      return properties[Int(number)]
    }
  }
}
