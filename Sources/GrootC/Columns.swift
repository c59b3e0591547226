import CGroot
import CJansson
import Groot

/// Reads one property of many objects as buffers.
@_cdecl("groot_context_column") @implementation
public func groot_context_column(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?,
  _ property: UnsafePointer<CChar>?, _ ids: UnsafePointer<groot_object_id>?, _ count: Int,
  _ column: UnsafeMutablePointer<groot_column>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    guard let column else { throw GrootError(.invalidArgument, "column is NULL") }
    try fill(column, with: groot_column(), size: \.struct_size)
    let context = try ContextHandle.from(context).context
    let made = try context.column(
      name(property, what: "property"), of: name(entity, what: "entity"),
      objects: objects(ids, count: count, what: "objects"))
    guard column.pointee.struct_size >= MemoryLayout<groot_column>.size else {
      throw GrootError(.invalidArgument, "the column has no member `owner`")
    }
    try fill(
      column,
      with: groot_column(
        struct_size: 0, kind: made.kind.rawValue, reserved: 0, count: made.count,
        null_count: made.nullCount, values: made.values.baseAddress, size: made.values.count,
        offsets: made.offsets?.baseAddress, validity: made.validity?.baseAddress,
        owner: Unmanaged.passRetained(made).toOpaque()), size: \.struct_size)
  }
}

/// Frees the buffers of `column` and leaves it empty.
@_cdecl("groot_column_free") @implementation
public func groot_column_free(_ column: UnsafeMutablePointer<groot_column>?) {
  guard let column, case let size = column.pointee.struct_size, isSize(size, of: groot_column.self)
  else { return }
  // groot_context_column refuses a smaller struct, so only a full one has an owner.
  if size >= MemoryLayout<groot_column>.size, let owner = column.pointee.owner {
    Unmanaged<Column>.fromOpaque(owner).release()
  }
  try? fill(column, with: groot_column(), size: \.struct_size)
}

/// Reads columns of objects as a stream of the Arrow C data interface.
@_cdecl("groot_context_arrow_stream") @implementation
public func groot_context_arrow_stream(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?,
  _ properties: UnsafePointer<CChar>?, _ ids: UnsafePointer<groot_object_id>?, _ count: Int,
  _ stream: UnsafeMutablePointer<ArrowArrayStream>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let stream = try result(stream, zero: ArrowArrayStream(), what: "stream")
    let context = try ContextHandle.from(context).context
    let entity = try name(entity, what: "entity")
    let names = try strings(properties, what: "properties") ?? context.attributeNames(of: entity)
    let objects = try objects(ids, count: count, what: "objects")
    // Without a column no other code checks the objects.
    if names.isEmpty { try context.requireKind(of: entity, objects) }
    let columns = try names.map { try context.column($0, of: entity, objects: objects) }
    ArrowTable(names, columns: columns, count: objects.count).export(to: stream)
  }
}
