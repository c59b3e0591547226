import CGroot
import Groot

// These functions describe the entities and properties of a model without JSON.

/// Returns the number of entities of a model.
@_cdecl("groot_model_entity_count") @implementation
public func groot_model_entity_count(_ model: OpaquePointer?) -> Int {
  (try? ModelHandle.from(model))?.model.entities.count ?? 0
}

/// Finds an entity by its name.
@_cdecl("groot_model_entity_number") @implementation
public func groot_model_entity_number(
  _ model: OpaquePointer?, _ entity: UnsafePointer<CChar>?, _ number: UnsafeMutablePointer<Int>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let number = try result(number, zero: 0, what: "number")
    let model = try ModelHandle.from(model).model
    number.pointee = try model.entityNumber(name(entity, what: "entity"))
  }
}

/// Describes entity `number`.
@_cdecl("groot_model_entity") @implementation
public func groot_model_entity(
  _ model: OpaquePointer?, _ number: Int, _ entity: UnsafeMutablePointer<groot_entity_info>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    guard let entity else { throw GrootError(.invalidArgument, "entity is NULL") }
    let handle = try ModelHandle.from(model)
    guard let found = handle.model.reflection(ofEntity: number) else {
      throw GrootError(.unknownEntity, "the model has no entity \(number)")
    }
    try fill(
      entity,
      with: groot_entity_info(
        struct_size: 0, name: handle.entityNames[number].string,
        parent: Int32(clamping: found.parent ?? -1), is_abstract: found.isAbstract ? 1 : 0,
        property_count: found.propertyCount), size: \.struct_size)
  }
}

/// Describes a property of entity `number`.
@_cdecl("groot_model_property") @implementation
public func groot_model_property(
  _ model: OpaquePointer?, _ number: Int, _ index: Int,
  _ property: UnsafeMutablePointer<groot_property_info>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    guard let property else { throw GrootError(.invalidArgument, "property is NULL") }
    let handle = try ModelHandle.from(model)
    guard let entity = handle.model.reflection(ofEntity: number) else {
      throw GrootError(.unknownEntity, "the model has no entity \(number)")
    }
    guard let found = handle.model.reflection(ofProperty: index, ofEntity: number) else {
      throw GrootError(
        .unknownProperty,
        "the entity has \(entity.propertyCount) properties, which are counted from 0, not \(index)",
        entity: entity.name)
    }
    var flags: UInt32 = 0
    if found.isOptional { flags |= GROOT_PROPERTY_OPTIONAL }
    if found.isTransient { flags |= GROOT_PROPERTY_TRANSIENT }
    if found.isToMany { flags |= GROOT_PROPERTY_TO_MANY }
    if found.isOrdered { flags |= GROOT_PROPERTY_ORDERED }
    let type = found.type?.staticName ?? "relationship"
    try fill(
      property,
      with: groot_property_info(
        struct_size: 0, name: handle.propertyNames[entity.hierarchy][Int(found.number)].string,
        type: groot_string(data: staticText(type), size: type.utf8CodeUnitCount),
        number: found.number, value: (found.type.map { ValueKind($0) } ?? .object).rawValue,
        entity: Int32(clamping: found.entity),
        destination: Int32(clamping: found.destination ?? -1), inverse: found.inverse ?? -1,
        flags: flags,
        values: handle.values[[entity.hierarchy, Int(found.number)]]?.string
          ?? groot_string(data: nil, size: 0)), size: \.struct_size)
  }
}

extension AttributeType {
  /// The name as static text.
  fileprivate var staticName: StaticString {
    switch self {
    case .integer16: "integer16"
    case .integer32: "integer32"
    case .integer64: "integer64"
    case .decimal: "decimal"
    case .double: "double"
    case .float: "float"
    case .string: "string"
    case .boolean: "boolean"
    case .date: "date"
    case .day: "day"
    case .binary: "binary"
    case .uuid: "uuid"
    case .uri: "uri"
    case .transformable: "transformable"
    case .composite: "composite"
    }
  }
}
