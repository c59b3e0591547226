import CGroot
import Groot

/// Finds property `name` of `entity`.
@_cdecl("groot_context_property") @implementation
public func groot_context_property(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?, _ property: UnsafePointer<CChar>?,
  _ number: UnsafeMutablePointer<groot_property>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let number = try result(number, zero: -1, what: "property")
    number.pointee = try ContextHandle.from(context).context.propertyNumber(
      name(property, what: "name"), of: name(entity, what: "entity"))
  }
}

/// Finds property `name` of the entity of `object`.
@_cdecl("groot_object_property") @implementation
public func groot_object_property(
  _ context: OpaquePointer?, _ object: groot_object_id, _ property: UnsafePointer<CChar>?,
  _ number: UnsafeMutablePointer<groot_property>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let number = try result(number, zero: -1, what: "property")
    let context = try ContextHandle.from(context).context
    let entity = try context.entity(of: ObjectID(rawValue: object)).name
    number.pointee = try context.propertyNumber(name(property, what: "name"), of: entity)
  }
}

/// Reads an attribute or a to-one relationship.
@_cdecl("groot_object_get") @implementation
public func groot_object_get(
  _ context: OpaquePointer?, _ object: groot_object_id, _ property: groot_property,
  _ value: UnsafeMutablePointer<groot_value>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    guard let value else { throw GrootError(.invalidArgument, "value is NULL") }
    value.pointee.kind = 0
    value.pointee.reserved = 0
    let handle = try ContextHandle.from(context)
    let reading = try handle.context.exclusively {
      try handle.context.readInUse(
        ObjectID(rawValue: object), number: property, scratch: handle.nextText())
    }
    value.pointee.kind = reading.kind.rawValue
    switch reading.kind {
    case .null: value.pointee.as.integer = 0
    case .integer, .boolean, .date, .day: value.pointee.as.integer = Int64(bitPattern: reading.word)
    case .real: value.pointee.as.real = Double(bitPattern: reading.word)
    case .object: value.pointee.as.object = reading.word
    case .string, .decimal, .binary, .uuid, .uri, .json:
      let start = UnsafeRawPointer(reading.start)?.assumingMemoryBound(to: CChar.self)
      value.pointee.as.text = groot_string(data: start, size: reading.count)
    }
  }
}

/// Sets an attribute or a to-one relationship.
@_cdecl("groot_object_set") @implementation
public func groot_object_set(
  _ context: OpaquePointer?, _ object: groot_object_id, _ property: groot_property,
  _ value: UnsafePointer<groot_value>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let context = try ContextHandle.from(context).context
    guard let value else { throw GrootError(.invalidArgument, "value is NULL") }
    guard value.pointee.reserved == 0 else {
      throw GrootError(.unsupported, "the value is of a newer version of the library")
    }
    let id = ObjectID(rawValue: object)
    if value.pointee.kind == GROOT_VALUE_OBJECT {
      let target = value.pointee.as.object
      try context.setTarget(
        target == 0 ? nil : ObjectID(rawValue: target), for: .number(property), of: id)
    } else if value.pointee.kind == GROOT_VALUE_NULL, try context.isToOne(property, of: id) {
      try context.setTarget(nil, for: .number(property), of: id)
    } else {
      try context.setValue(read(value.pointee), for: .number(property), of: id)
    }
  }
}

/// Converts a caller's value.
private func read(_ value: groot_value) throws -> Value {
  func chars() throws -> String {
    try text(value.as.text.data, length: value.as.text.size, what: "the value's text")
  }
  func malformed(_ what: String) throws -> GrootError {
    let chars = try chars()
    let shown = chars.utf8.count > 100 ? "\(chars.unicodeScalars.prefix(100))..." : chars
    return GrootError(.wrongType, "'\(shown)' is not \(what)")
  }
  switch value.kind {
  case GROOT_VALUE_NULL: return .null
  case GROOT_VALUE_INTEGER: return .integer(value.as.integer)
  case GROOT_VALUE_REAL: return .real(value.as.real)
  case GROOT_VALUE_BOOLEAN: return .boolean(value.as.integer != 0)
  case GROOT_VALUE_DATE: return .date(Timestamp(microseconds: value.as.integer))
  case GROOT_VALUE_DAY:
    guard let day = CalendarDay(daysSinceEpoch: value.as.integer) else {
      throw GrootError(.outOfRange, "\(value.as.integer) days since 1970-01-01 are out of range")
    }
    return .day(day)
  case GROOT_VALUE_STRING: return .string(try chars())
  case GROOT_VALUE_URI: return .uri(try chars())
  case GROOT_VALUE_DECIMAL:
    guard let decimal = DecimalNumber(try chars()) else { throw try malformed("a decimal number") }
    return .decimal(decimal)
  case GROOT_VALUE_UUID:
    guard let uuid = UUIDValue(try chars()) else { throw try malformed("a UUID") }
    return .uuid(uuid)
  case GROOT_VALUE_BINARY:
    let bytes = try copiedBytes(
      value.as.text.data, length: value.as.text.size, what: "the value's bytes")
    return .binary(Array(bytes))
  case GROOT_VALUE_JSON: return .json(try JSONValue(parsing: try chars()))
  default: throw GrootError(.invalidArgument, "\(value.kind) is not a kind of value")
  }
}

/// Reads the members of a to-many relationship in order.
@_cdecl("groot_object_members") @implementation
public func groot_object_members(
  _ context: OpaquePointer?, _ object: groot_object_id, _ property: groot_property,
  _ members: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let members = try result(members, zero: nil, what: "members")
    let context = try ContextHandle.from(context).context
    let ids = try context.members(.number(property), of: ObjectID(rawValue: object))
    members.pointee = try ObjectsHandle(ids).retained()
  }
}

/// Counts the members of a to-many relationship.
@_cdecl("groot_object_member_count") @implementation
public func groot_object_member_count(
  _ context: OpaquePointer?, _ object: groot_object_id, _ property: groot_property,
  _ count: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let count = try result(count, zero: 0, what: "count")
    let context = try ContextHandle.from(context).context
    count.pointee = try context.memberCount(.number(property), of: ObjectID(rawValue: object))
  }
}

/// Sets `contains` to 1 if `member` is a member, else to 0.
@_cdecl("groot_object_contains") @implementation
public func groot_object_contains(
  _ context: OpaquePointer?, _ object: groot_object_id, _ property: groot_property,
  _ member: groot_object_id, _ contains: UnsafeMutablePointer<Int32>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let contains = try result(contains, zero: 0, what: "contains")
    let context = try ContextHandle.from(context).context
    let isMember = try context.contains(
      ObjectID(rawValue: member), in: .number(property), of: ObjectID(rawValue: object))
    contains.pointee = isMember ? 1 : 0
  }
}

/// Adds a member at the end.
@_cdecl("groot_object_add") @implementation
public func groot_object_add(
  _ context: OpaquePointer?, _ object: groot_object_id, _ property: groot_property,
  _ member: groot_object_id, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    try ContextHandle.from(context).context.add(
      ObjectID(rawValue: member), to: .number(property), of: ObjectID(rawValue: object))
  }
}

/// Removes a member.
@_cdecl("groot_object_remove") @implementation
public func groot_object_remove(
  _ context: OpaquePointer?, _ object: groot_object_id, _ property: groot_property,
  _ member: groot_object_id, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    try ContextHandle.from(context).context.remove(
      ObjectID(rawValue: member), from: .number(property), of: ObjectID(rawValue: object))
  }
}

/// Replaces the members of a to-many relationship by `members`, in order, without duplicates.
@_cdecl("groot_object_set_members") @implementation
public func groot_object_set_members(
  _ context: OpaquePointer?, _ object: groot_object_id, _ property: groot_property,
  _ members: UnsafePointer<groot_object_id>?, _ count: Int,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let context = try ContextHandle.from(context).context
    let ids = try objects(members, count: count, what: "members")
    try context.setMembers(ids, for: .number(property), of: ObjectID(rawValue: object))
  }
}

/// Views a caller's array of objects as ids.
///
/// An ``ObjectID`` has the memory layout of its number.
func objects(
  _ start: UnsafePointer<groot_object_id>?, count: Int, what: String
) throws -> UnsafeBufferPointer<ObjectID> {
  guard count >= 0, count < addressableBytes / 8, start != nil || count == 0 else {
    throw GrootError(.invalidArgument, "\(what) is NULL, or has an invalid count")
  }
  return UnsafeBufferPointer(
    start: UnsafeRawPointer(start)?.assumingMemoryBound(to: ObjectID.self), count: count)
}
