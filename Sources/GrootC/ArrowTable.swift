import CGroot
import Groot

/// Columns as one table for a consumer of the Arrow C data interface.
///
/// A consumer may move a child out of its parent and release it alone. So each exported struct has
/// a separate owner, which its `release` frees.
final class ArrowTable {
  private let root: ArrowColumn
  private var isAtEnd = false

  init(_ root: ArrowColumn) { self.root = root }

  /// Makes a stream of one record batch that keeps the table.
  func export(to stream: UnsafeMutablePointer<ArrowArrayStream>) {
    stream.pointee.get_schema = { stream, schema in
      guard let schema, let table = ArrowTable.of(stream) else { return invalidArgument }
      table.writeSchema(to: schema)
      return 0
    }
    stream.pointee.get_next = { stream, array in
      guard let array, let table = ArrowTable.of(stream) else { return invalidArgument }
      if table.isAtEnd {
        array.pointee = ArrowArray()
      } else {
        table.isAtEnd = true
        table.writeArray(to: array)
      }
      return 0
    }
    stream.pointee.get_last_error = { _ in nil }
    stream.pointee.release = { stream in
      guard let stream, stream.pointee.release != nil, let owner = stream.pointee.private_data
      else { return }
      stream.pointee.release = nil
      stream.pointee.private_data = nil
      Unmanaged<ArrowTable>.fromOpaque(owner).release()
    }
    stream.pointee.private_data = Unmanaged.passRetained(self).toOpaque()
  }

  private static func of(_ stream: UnsafeMutablePointer<ArrowArrayStream>?) -> ArrowTable? {
    guard let owner = stream?.pointee.private_data else { return nil }
    return Unmanaged<ArrowTable>.fromOpaque(owner).takeUnretainedValue()
  }

  private func writeSchema(to schema: UnsafeMutablePointer<ArrowSchema>) {
    ArrowSchemaOwner(root).write(to: schema, isNullable: false)
  }

  private func writeArray(to array: UnsafeMutablePointer<ArrowArray>) {
    ArrowArrayOwner(root).write(to: array)
  }
}

/// A column of a table, or a struct of columns; the depth of structs is limited.
final class ArrowColumn {
  let name: String
  let format: String
  let count: Int
  let nullCount: Int
  let buffers: [UnsafeRawPointer?]
  let children: [ArrowColumn]
  private let column: Column?
  /// The buffers that are the column's own.
  private let blocks: [UnsafeMutableRawPointer]

  /// Makes a column of the library's; throws unless there is memory.
  init(_ name: String, _ column: Column) throws {
    self.name = name
    self.column = column
    format = column.kind.arrowFormat
    count = column.count
    nullCount = column.nullCount
    children = []
    // The booleans are bits, since Arrow has no byte per boolean.
    let bits = column.kind == .boolean ? try Self.packed(column.values) : nil
    blocks = bits.map { [$0] } ?? []
    let values = bits.map { UnsafeRawPointer($0) } ?? column.values.baseAddress
    let validity = UnsafeRawPointer(column.validity?.baseAddress)
    if let offsets = column.offsets {
      buffers = [validity, UnsafeRawPointer(offsets.baseAddress), values]
    } else {
      buffers = [validity, values]
    }
  }

  /// Makes a table of columns.
  init(_ children: [ArrowColumn], count: Int) {
    name = ""
    format = "+s"
    self.count = count
    nullCount = 0
    buffers = [nil]
    self.children = children
    column = nil
    blocks = []
  }

  /// Copies a column; throws unless there is memory.
  init(copying given: groot_arrow_column, _ children: [ArrowColumn]) throws {
    name = try text(given.name, length: -1, what: "name")
    format = try text(given.format, length: -1, what: "format")
    count = Int(given.length)
    nullCount = Int(given.null_count)
    self.children = children
    column = nil
    let places = [given.buffers.0, given.buffers.1, given.buffers.2]
    let sizes = [given.sizes.0, given.sizes.1, given.sizes.2]
    var blocks: [UnsafeMutableRawPointer] = []
    var buffers: [UnsafeRawPointer?] = []
    for (place, size) in zip(places, sizes).prefix(given.buffer_count) {
      guard let place else {
        buffers.append(nil)
        continue
      }
      guard size < addressableBytes, let block = CLibrary.allocate(max(size, 8)) else {
        for block in blocks { CLibrary.release(block) }
        throw Self.outOfMemory
      }
      block.copyMemory(from: place, byteCount: size)
      blocks.append(block)
      buffers.append(UnsafeRawPointer(block))
    }
    self.blocks = blocks
    self.buffers = buffers
  }

  deinit {
    for block in blocks { CLibrary.release(block) }
  }

  private static let outOfMemory = GrootError(.outOfMemory, "no memory for a table")

  private static func packed(_ bytes: UnsafeRawBufferPointer) throws -> UnsafeMutableRawPointer {
    let size = max((bytes.count + 7) / 8, 1)
    guard let block = CLibrary.allocate(size) else { throw outOfMemory }
    let bits = block.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    for index in bytes.indices { bits[index >> 3] |= bytes[index] << UInt8(index & 7) }
    return block
  }
}

/// The result of a stream's functions for NULL: EINVAL.
private let invalidArgument: Int32 = 22

extension ValueKind {
  /// The format string of the Arrow C data interface.
  fileprivate var arrowFormat: String {
    switch self {
    case .integer: "l"
    case .real: "g"
    case .boolean: "b"
    case .date: "tsu:UTC"
    case .day: "tdD"
    case .object: "L"
    case .binary: "Z"
    case .null, .string, .decimal, .uuid, .uri, .json: "U"
    }
  }
}

/// The structs of children, with the list of their addresses.
struct ArrowChildren<Struct> {
  let count: Int
  let list: UnsafeMutablePointer<UnsafeMutablePointer<Struct>?>
  private let block: UnsafeMutablePointer<Struct>

  init(_ count: Int, empty: Struct) {
    self.count = count
    list = .allocate(capacity: max(count, 1))
    block = .allocate(capacity: max(count, 1))
    for index in 0..<count {
      (block + index).initialize(to: empty)
      (list + index).initialize(to: block + index)
    }
  }

  func child(_ index: Int) -> UnsafeMutablePointer<Struct> { block + index }

  func deallocate() {
    list.deallocate()
    block.deallocate()
  }
}

/// The private data of an ArrowSchema.
final class ArrowSchemaOwner {
  private let blocks: ArrowChildren<ArrowSchema>
  private let name: CText
  private let format: CText

  init(_ column: ArrowColumn) {
    blocks = ArrowChildren(column.children.count, empty: ArrowSchema())
    name = CText(column.name)
    format = CText(column.format)
    for (index, child) in column.children.enumerated() {
      ArrowSchemaOwner(child).write(to: blocks.child(index), isNullable: true)
    }
  }

  deinit {
    for index in 0..<blocks.count {
      let child = blocks.child(index)
      if let release = child.pointee.release { release(child) }
    }
    blocks.deallocate()
    name.deallocate()
    format.deallocate()
  }

  func write(to schema: UnsafeMutablePointer<ArrowSchema>, isNullable: Bool) {
    schema.pointee = ArrowSchema(
      format: UnsafePointer(format.start), name: UnsafePointer(name.start), metadata: nil,
      flags: isNullable ? Int64(ARROW_FLAG_NULLABLE) : 0, n_children: Int64(blocks.count),
      children: blocks.count > 0 ? blocks.list : nil, dictionary: nil,
      release: { schema in
        guard let schema, schema.pointee.release != nil, let owner = schema.pointee.private_data
        else { return }
        schema.pointee.release = nil
        schema.pointee.private_data = nil
        Unmanaged<ArrowSchemaOwner>.fromOpaque(owner).release()
      }, private_data: Unmanaged.passRetained(self).toOpaque())
  }
}

/// The private data of an ArrowArray.
final class ArrowArrayOwner {
  private let blocks: ArrowChildren<ArrowArray>
  private let column: ArrowColumn
  private let buffers: UnsafeMutablePointer<UnsafeRawPointer?>

  init(_ column: ArrowColumn) {
    self.column = column
    blocks = ArrowChildren(column.children.count, empty: ArrowArray())
    buffers = .allocate(capacity: 3)
    buffers.initialize(repeating: nil, count: 3)
    for (index, buffer) in column.buffers.enumerated() { buffers[index] = buffer }
    for (index, child) in column.children.enumerated() {
      ArrowArrayOwner(child).write(to: blocks.child(index))
    }
  }

  deinit {
    for index in 0..<blocks.count {
      let child = blocks.child(index)
      if let release = child.pointee.release { release(child) }
    }
    blocks.deallocate()
    buffers.deallocate()
  }

  func write(to array: UnsafeMutablePointer<ArrowArray>) {
    array.pointee = ArrowArray(
      length: Int64(column.count), null_count: Int64(column.nullCount), offset: 0,
      n_buffers: Int64(column.buffers.count), n_children: Int64(blocks.count), buffers: buffers,
      children: blocks.count > 0 ? blocks.list : nil, dictionary: nil,
      release: { array in
        guard let array, array.pointee.release != nil, let owner = array.pointee.private_data
        else { return }
        array.pointee.release = nil
        array.pointee.private_data = nil
        Unmanaged<ArrowArrayOwner>.fromOpaque(owner).release()
      }, private_data: Unmanaged.passRetained(self).toOpaque())
  }
}

/// The destructor of Python's capsules, which may run while an exception is being raised.
///
/// A destructor that Python runs would lose that exception. The functions of Python are looked for when
/// they are needed: the library is not linked to Python.
private enum PythonCapsule {
  private typealias Pointer =
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> UnsafeMutableRawPointer?
  private typealias Free = @convention(c) (UnsafeMutableRawPointer?) -> Void

  /// The name of a capsule with a stream, as the Arrow PyCapsule interface defines it.
  private static let name: StaticString = "arrow_array_stream"

  private static var functions: (pointer: Pointer, free: Free)? {
    guard let pointer = CLibrary.function("PyCapsule_GetPointer"),
      let free = CLibrary.function("PyMem_RawFree")
    else { return nil }
    return (unsafeBitCast(pointer, to: Pointer.self), unsafeBitCast(free, to: Free.self))
  }

  static var isUsable: Bool { functions != nil }

  static func destroy(_ capsule: UnsafeMutableRawPointer?) {
    guard let capsule, let functions else { return }
    let found = name.withUTF8Buffer { name in
      functions.pointer(
        capsule, UnsafeRawPointer(name.baseAddress)?.assumingMemoryBound(to: CChar.self))
    }
    guard let found else { return }
    let stream = found.assumingMemoryBound(to: ArrowArrayStream.self)
    stream.pointee.release?(stream)
    functions.free(found)
  }
}

/// Returns a destructor for capsules of Python.
@_cdecl("groot_arrow_capsule_destructor") @implementation
public func groot_arrow_capsule_destructor() -> UnsafeMutableRawPointer? {
  guard PythonCapsule.isUsable else { return nil }
  let destructor: @convention(c) (UnsafeMutableRawPointer?) -> Void = { PythonCapsule.destroy($0) }
  return unsafeBitCast(destructor, to: UnsafeMutableRawPointer.self)
}
