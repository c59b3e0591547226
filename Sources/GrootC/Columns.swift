import CGroot
import CJansson
import Groot

/// One property of many objects as buffers.
@_cdecl("groot_context_column") @implementation
public func groot_context_column(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?, _ entityLength: Int,
  _ property: UnsafePointer<CChar>?, _ length: Int, _ ids: UnsafePointer<groot_object_id>?,
  _ count: Int, _ column: UnsafeMutablePointer<groot_column>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let target = try result(column, zero: groot_column(), what: "column")
    let context = try ContextHandle.from(context).context
    let made = try context.column(
      text(property, length: length, what: "property"),
      of: text(entity, length: entityLength, what: "entity"),
      objects: objects(ids, count: count, what: "objects"))
    target.pointee = groot_column(
      kind: made.kind.rawValue, reserved: 0, count: made.count, null_count: made.nullCount,
      values: made.values.baseAddress, size: made.values.count,
      offsets: made.offsets?.baseAddress, validity: made.validity?.baseAddress,
      owner: Unmanaged.passRetained(made).toOpaque())
  }
}

/// Frees the buffers of `column` and sets it to none.
@_cdecl("groot_column_free") @implementation
public func groot_column_free(_ column: UnsafeMutablePointer<groot_column>?) {
  guard let column else { return }
  if let owner = column.pointee.owner { Unmanaged<Column>.fromOpaque(owner).release() }
  column.pointee = groot_column()
}

/// Columns of objects as a stream of the Arrow C data interface.
@_cdecl("groot_context_arrow_stream") @implementation
public func groot_context_arrow_stream(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?, _ entityLength: Int,
  _ properties: UnsafePointer<json_t>?, _ ids: UnsafePointer<groot_object_id>?, _ count: Int,
  _ stream: UnsafeMutablePointer<ArrowArrayStream>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let stream = try result(stream, zero: ArrowArrayStream(), what: "stream")
    let context = try ContextHandle.from(context).context
    let entity = try text(entity, length: entityLength, what: "entity")
    let names = try propertyNames(properties) ?? context.attributeNames(of: entity)
    let objects = try objects(ids, count: count, what: "objects")
    // Where no column looks at the objects, this does.
    if names.isEmpty { try context.requireKind(of: entity, objects) }
    let columns = try names.map { try context.column($0, of: entity, objects: objects) }
    ArrowTable(names, columns: columns, count: objects.count).export(to: stream)
  }
}

/// A list of names that a caller handed over.
private func propertyNames(_ json: UnsafePointer<json_t>?) throws -> [String]? {
  guard json != nil else { return nil }
  guard case .array(let list) = try value(json, what: "properties") else {
    throw GrootError(.invalidArgument, "properties is a list of names")
  }
  return try list.map { name in
    guard let text = name.stringValue else {
      throw GrootError(.invalidArgument, "properties is a list of names")
    }
    return text
  }
}
