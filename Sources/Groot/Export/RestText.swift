/// The unmapped keys of one object: their members, found in the text that the object has.
///
/// It remembers the members on the way to the last value, because outputs ask for values beside each
/// other. It reads the text alone, which must stay where it is.
final class RestText {
  /// A member of an object, an element of an array, or the whole value.
  struct Part {
    /// The beginning of a member's key with its quotes; that of the value without a key.
    let key: UnsafePointer<UInt8>
    let value: UnsafePointer<UInt8>
    let end: UnsafePointer<UInt8>
    /// Whether the writer may spell numbers of the value in another way.
    let isRespelled: Bool

    /// The value's first byte, which says its kind.
    @inline(__always)
    var first: UInt8 { value < end ? value.pointee : 0 }
    var isNull: Bool { first == Byte.n }

    /// The key with its quotes.
    @inline(__always)
    var keyText: UnsafeBufferPointer<UInt8> {
      UnsafeBufferPointer(start: key, count: max(value - key - 1, 0))
    }

    /// The value alone.
    var withoutKey: Part {
      Part(key: value, value: value, end: end, isRespelled: isRespelled)
    }

    var text: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: value, count: end - value) }
  }

  /// An object or array whose parts are known.
  private struct Level {
    let start: UnsafePointer<UInt8>
    let first: Int
    let end: Int

    var parts: Range<Int> { @inline(__always) get { first..<end } }
  }

  @exclusivity(unchecked) private var buffer: Buffer<Part>
  /// The containers on the way to the last value, from the outermost.
  @exclusivity(unchecked) private var levels: Buffer<Level>
  @exclusivity(unchecked) private var whole: Part?

  /// Makes a reader; `isUsed` says whether any entity keeps unmapped keys.
  init(_ account: MemoryAccount, isUsed: Bool) {
    buffer = Buffer(account, capacity: isUsed ? 64 : 1)
    levels = Buffer(account, capacity: isUsed ? 8 : 1)
  }

  deinit {
    buffer.deallocate()
    levels.deallocate()
  }

  /// Forgets the last text, since another one may be at its address.
  func forget() { whole = nil }

  /// Begins to read the text of an object; one that is being read continues.
  func load(_ text: UnsafeBufferPointer<UInt8>) {
    guard let start = text.baseAddress else { return forget() }
    let end = start + text.count
    if let whole, whole.value == start, whole.end == end { return }
    levels.removeLast(to: 0)
    whole = Part(key: start, value: start, end: end, isRespelled: false)
  }

  /// Returns the value at a path; nil without one.
  func part(at path: RestPath) throws -> Part? {
    guard var part = whole else { return nil }
    for (depth, step) in path.steps.enumerated() {
      let inside = try parts(of: part, depth: depth)
      switch part.first {
      case Byte.openBrace where step.isKey:
        let key = path.key(of: step)
        guard let place = inside.first(where: { key.isEqual(to: buffer.start[$0].keyText) }) else {
          return nil
        }
        part = buffer.start[place]
      case Byte.openBracket where step.position >= 0 && step.position < inside.count:
        part = buffer.start[inside.lowerBound + step.position]
      default: return nil
      }
    }
    return part
  }

  /// Returns the members or elements of the value at a path, in their order; valid until the next
  /// question.
  func parts(of part: Part, at path: RestPath) throws -> UnsafeBufferPointer<Part> {
    let inside = try parts(of: part, depth: path.steps.count)
    return UnsafeBufferPointer(start: buffer.start + inside.lowerBound, count: inside.count)
  }

  /// Returns the places of the parts of a container with a number of others around it.
  private func parts(of part: Part, depth: Int) throws -> Range<Int> {
    if depth < levels.count, levels.start[depth].start == part.value {
      return levels.start[depth].parts
    }
    levels.removeLast(to: min(depth, levels.count))
    let first = levels.count > 0 ? levels.start[levels.count &- 1].end : 0
    buffer.removeLast(to: first)
    try readParts(of: part)
    try levels.append(Level(start: part.value, first: first, end: buffer.count))
    return first..<buffer.count
  }

  /// Appends the members of an object, or the elements of an array; a scalar has none.
  private func readParts(of part: Part) throws {
    let isObject = part.first == Byte.openBrace
    guard isObject || part.first == Byte.openBracket else { return }
    // The last byte is the closing bracket.
    let limit = part.end - 1
    var cursor = part.value + 1
    while cursor < limit {
      let key = cursor
      if isObject { cursor = WrittenText.end(ofString: cursor, limit: limit) + 1 }
      let value = min(cursor, limit)
      var isRespelled = false
      let end = WrittenText.end(ofValue: value, limit: limit, isRespelled: &isRespelled)
      try buffer.append(Part(key: key, value: value, end: end, isRespelled: isRespelled))
      cursor = end + 1
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns whether two short texts have the same bytes.
  @inline(__always)
  fileprivate func isEqual(to other: Self) -> Bool { JSONTape.equal(self, other) }
}
