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

/// Writes the keys of objects in the store.
@_cdecl("groot_context_row_keys") @implementation
public func groot_context_row_keys(
  _ context: OpaquePointer?, _ ids: UnsafePointer<groot_object_id>?, _ count: Int,
  _ keys: UnsafeMutablePointer<Int64>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    guard count >= 0, count < addressableBytes / 8, keys != nil || count == 0 else {
      throw GrootError(.invalidArgument, "keys is NULL, or has an invalid count")
    }
    let keys = UnsafeMutableBufferPointer(start: keys, count: count)
    keys.initialize(repeating: 0)
    let objects = try objects(ids, count: count, what: "objects")
    try ContextHandle.from(context).context.writeKeys(of: objects, to: keys)
  }
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
    let named = try zip(names, columns).map { try ArrowColumn($0, $1) }
    ArrowTable(ArrowColumn(named, count: objects.count)).export(to: stream)
  }
}

/// Makes a stream of the Arrow C data interface of copied buffers.
@_cdecl("groot_arrow_table") @implementation
public func groot_arrow_table(
  _ columns: UnsafePointer<groot_arrow_column>?, _ count: Int,
  _ stream: UnsafeMutablePointer<ArrowArrayStream>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let stream = try result(stream, zero: ArrowArrayStream(), what: "stream")
    if count == 0 { return ArrowTable(ArrowColumn([], count: 0)).export(to: stream) }
    guard let columns else { throw GrootError(.invalidArgument, "columns is NULL") }
    guard count > 0, count <= addressableBytes else {
      throw GrootError(.invalidArgument, "\(count) is not a number of columns")
    }
    var reader = ArrowColumnReader(columns, count: count)
    let root = try reader.next(depth: 1)
    guard reader.isAtEnd, !root.buffers.isEmpty, root.format == "+s" else {
      throw GrootError(.invalidArgument, "the columns are not one struct")
    }
    ArrowTable(root).export(to: stream)
  }
}

/// The columns of a table in order, each before its children.
private struct ArrowColumnReader {
  private let columns: UnsafePointer<groot_arrow_column>
  private let count: Int
  private var position = 0

  init(_ columns: UnsafePointer<groot_arrow_column>, count: Int) {
    self.columns = columns
    self.count = count
  }

  var isAtEnd: Bool { position == count }

  /// Copies the next column; its recursion is limited.
  mutating func next(depth: Int) throws -> ArrowColumn {
    guard position < count, depth <= 32 else {
      throw GrootError(.invalidArgument, "the columns are not one struct of at most 32 levels")
    }
    let given = columns[position]
    position += 1
    guard given.length >= 0, given.buffer_count <= 3, given.children >= 0, given.buffer_count >= 0
    else { throw GrootError(.invalidArgument, "the column \(position) has an invalid number") }
    var children: [ArrowColumn] = []
    while children.count < given.children { children.append(try next(depth: depth + 1)) }
    return try ArrowColumn(copying: given, children)
  }
}
