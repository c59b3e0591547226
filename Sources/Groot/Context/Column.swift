/// One property of many objects in a few buffers: a snapshot that later changes do not affect.
///
/// A column is immutable, so any thread may read it.
public final class Column: @unchecked Sendable {
  /// The kind of the values, which determines their size.
  ///
  /// A number has 8 bytes, a day 4, and a boolean one. Any other value is text between two
  /// ``offsets``.
  public let kind: ValueKind
  /// The number of objects.
  public let count: Int
  /// The number of objects without a value.
  public private(set) var nullCount = 0

  /// The account that may refuse memory; the buffers belong to the program and are not counted.
  private let account: MemoryAccount
  private var bytes: UnsafeMutablePointer<UInt8>
  private var size = 0
  private var capacity: Int
  private var offsetStart: UnsafeMutablePointer<Int64>?
  private var validityStart: UnsafeMutablePointer<UInt8>?

  /// The values in order, with 0 for a missing one; for text, the bytes of all texts.
  public var values: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: bytes, count: size) }

  /// The position of each text in ``values``, and the end of the last; nil for other kinds.
  public var offsets: UnsafeBufferPointer<Int64>? {
    offsetStart.map { UnsafeBufferPointer(start: $0, count: count + 1) }
  }

  /// A bit for each object, lowest of a byte first: 1 for an object with a value.
  ///
  /// It is nil when all objects have a value.
  public var validity: UnsafeBufferPointer<UInt8>? {
    nullCount == 0
      ? nil : validityStart.map { UnsafeBufferPointer(start: $0, count: (count + 7) / 8) }
  }

  /// Allocates space for `count` values.
  init(_ kind: ValueKind, count: Int, _ account: MemoryAccount) throws {
    self.account = account
    self.kind = kind
    self.count = count
    let (width, isText) = kind.layout
    capacity = max(isText ? 12 * min(count, 1 << 40) : width * min(count, 1 << 40), 64)
    bytes = try Self.room(capacity, account).assumingMemoryBound(to: UInt8.self)
    guard isText else { return }
    offsetStart = try Self.room((count + 1) * 8, account).bindMemory(
      to: Int64.self, capacity: count + 1)
    offsetStart?[0] = 0
  }

  deinit {
    CLibrary.release(bytes)
    CLibrary.release(offsetStart)
    CLibrary.release(validityStart)
  }

  private static func room(
    _ size: Int, _ account: MemoryAccount
  ) throws -> UnsafeMutableRawPointer {
    guard let room = account.lend(size) else { throw outOfMemory }
    return room
  }

  private static let outOfMemory = GrootError(.outOfMemory, "no memory for so large a column")

  /// Sets the value at `index`; each index is set once, in order.
  @inline(__always)
  func append(_ reading: PropertyReading, at index: Int) throws {
    if reading.kind == .null { try markNull(index) }
    if let offsetStart {
      let length = reading.kind == .null ? 0 : reading.count
      if size &+ length > capacity { try grow(length) }
      if length > 0, let start = reading.start {
        CLibrary.copy(length, from: start, to: bytes + size)
      }
      size &+= length
      offsetStart[index &+ 1] = Int64(size)
    } else if kind == .boolean {
      bytes[index] = UInt8(truncatingIfNeeded: reading.word)
      size &+= 1
    } else if kind == .day {
      UnsafeMutableRawPointer(bytes).storeBytes(
        of: UInt32(truncatingIfNeeded: reading.word), toByteOffset: index &* 4, as: UInt32.self)
      size &+= 4
    } else {
      UnsafeMutableRawPointer(bytes).storeBytes(
        of: reading.word, toByteOffset: index &* 8, as: UInt64.self)
      size &+= 8
    }
  }

  /// Whether the values have 8 bytes each.
  var hasWords: Bool { kind.layout == (8, false) }

  /// Sets all values of a column of words; `word` returns nil for "no value".
  @inline(__always)
  func fill(with word: (Int) throws -> UInt64?) throws {
    let words = UnsafeMutableRawPointer(bytes).bindMemory(to: UInt64.self, capacity: count)
    for index in 0..<count {
      let found = try word(index)
      if found == nil { try markNull(index) }
      words[index] = found ?? 0
    }
    size = count &* 8
  }

  @inline(never)
  private func grow(_ length: Int) throws {
    let wanted = max(2 * capacity, size + length)
    guard let moved = account.relend(bytes, to: wanted) else { throw Self.outOfMemory }
    bytes = moved.assumingMemoryBound(to: UInt8.self)
    capacity = wanted
  }

  private func markNull(_ index: Int) throws {
    let size = (count + 7) / 8
    if validityStart == nil {
      let start = try Self.room(size, account).assumingMemoryBound(to: UInt8.self)
      CLibrary.fill(start, count: size, with: 0xFF)
      // The bits after the last object are 0.
      if count % 8 != 0 { start[size - 1] = (1 << UInt8(count % 8)) - 1 }
      validityStart = start
    }
    validityStart?[index >> 3] &= ~(1 << UInt8(index & 7))
    nullCount += 1
  }
}

extension ValueKind {
  /// The width of a column's value, and whether the values are text between offsets.
  fileprivate var layout: (width: Int, isText: Bool) {
    switch self {
    case .integer, .real, .date, .object: (8, false)
    case .boolean: (1, false)
    case .day: (4, false)
    case .null, .string, .decimal, .binary, .uuid, .uri, .json: (0, true)
    }
  }
}
