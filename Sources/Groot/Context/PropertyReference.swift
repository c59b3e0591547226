// The key of a property: its name (Swift) or its number (C).

/// A property of an object, by its name or by its number in the object's hierarchy.
public enum PropertyReference: Sendable, ExpressibleByStringLiteral {
  /// By name.
  case name(String)
  /// By the number that ``ManagedObjectContext/propertyNumber(_:of:)`` gives; faster.
  case number(Int32)
  /// By the key of a typed entity's property.
  case key(PropertyKey)

  /// By name.
  public init(stringLiteral name: String) { self = .name(name) }
}

extension ManagedObjectContext {
  /// The number of a property, which serves the entity and all its descendants.
  ///
  /// - Throws: ``Status/unknownEntity``, ``Status/unknownProperty``.
  public func propertyNumber(_ name: String, of entity: String) throws(GrootError) -> Int32 {
    Int32(try model.property(named: name, of: model.index(of: entity)).number)
  }

  /// The property that a reference means for a living object.
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
