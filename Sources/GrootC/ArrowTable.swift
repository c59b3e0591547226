import CGroot
import Groot

/// Columns as one table for a consumer of the Arrow C data interface.
///
/// A consumer may move a child out of its parent and release it alone. So each exported struct has
/// a separate owner, which its `release` frees.
final class ArrowTable {
  private let names: [String]
  private let columns: [Column]
  private let count: Int
  private var isAtEnd = false

  init(_ names: [String], columns: [Column], count: Int) {
    self.names = names
    self.columns = columns
    self.count = count
  }

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
    let owner = ArrowSchemaOwner(children: columns.count, name: "", format: "+s")
    for (index, column) in columns.enumerated() {
      ArrowSchemaOwner(children: 0, name: names[index], format: column.kind.arrowFormat)
        .write(to: owner.blocks.child(index), isNullable: true)
    }
    owner.write(to: schema, isNullable: false)
  }

  private func writeArray(to array: UnsafeMutablePointer<ArrowArray>) {
    let owner = ArrowArrayOwner(children: columns.count, column: nil)
    for (index, column) in columns.enumerated() {
      ArrowArrayOwner(children: 0, column: column)
        .write(to: owner.blocks.child(index), count: column.count)
    }
    owner.write(to: array, count: count)
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
  let blocks: ArrowChildren<ArrowSchema>
  private let name: CText
  private let format: CText

  init(children: Int, name: String, format: String) {
    blocks = ArrowChildren(children, empty: ArrowSchema())
    self.name = CText(name)
    self.format = CText(format)
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

/// The private data of an ArrowArray: a column, or the children of a table.
final class ArrowArrayOwner {
  let blocks: ArrowChildren<ArrowArray>
  private let column: Column?
  private let buffers: UnsafeMutablePointer<UnsafeRawPointer?>
  private let bufferCount: Int
  /// The booleans as bits, since Arrow has no byte per boolean.
  private let bits: UnsafeMutablePointer<UInt8>?

  init(children: Int, column: Column?) {
    blocks = ArrowChildren(children, empty: ArrowArray())
    self.column = column
    bits = column.flatMap { $0.kind == .boolean ? Self.packed($0.values) : nil }
    buffers = .allocate(capacity: 3)
    buffers.initialize(repeating: nil, count: 3)
    buffers[0] = UnsafeRawPointer(column?.validity?.baseAddress)
    if let offsets = column?.offsets {
      buffers[1] = UnsafeRawPointer(offsets.baseAddress)
      buffers[2] = column?.values.baseAddress
      bufferCount = 3
    } else if let column {
      buffers[1] = bits.map { UnsafeRawPointer($0) } ?? column.values.baseAddress
      bufferCount = 2
    } else {
      bufferCount = 1
    }
  }

  deinit {
    for index in 0..<blocks.count {
      let child = blocks.child(index)
      if let release = child.pointee.release { release(child) }
    }
    blocks.deallocate()
    buffers.deallocate()
    bits?.deallocate()
  }

  private static func packed(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutablePointer<UInt8> {
    let size = max((bytes.count + 7) / 8, 1)
    let bits = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
    bits.initialize(repeating: 0, count: size)
    for index in bytes.indices { bits[index >> 3] |= bytes[index] << UInt8(index & 7) }
    return bits
  }

  func write(to array: UnsafeMutablePointer<ArrowArray>, count: Int) {
    array.pointee = ArrowArray(
      length: Int64(count), null_count: Int64(column?.nullCount ?? 0), offset: 0,
      n_buffers: Int64(bufferCount), n_children: Int64(blocks.count), buffers: buffers,
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
