// Writing values of a tape.

extension JSONWriter {
  /// A container that is written: its members or elements are from `next` to `end` on the tape, or
  /// in the list of keys if another order than that of the tape counts.
  struct Frame {
    var isObject: Bool
    var isListed = false
    var next: Int
    var end: Int
    var firstKey = 0
  }

  /// The containers that are written, with the keys of their members.
  struct OpenContainers {
    /// The containers around the innermost one.
    var outer: [Frame] = []
    var keys: [TokenIndex] = []
    /// The number of keys whose memory a writer keeps.
    static let keptKeys = 1_024
  }

  /// Writes the tape's value at `index` compactly; of duplicate keys only the last counts.
  ///
  /// Members are in the order of their keys' first occurrences, or with `sortsKeys` in the order of
  /// the keys' bytes. Reals are written in the shortest form. With `keepsReals`, a real whose
  /// double has lost digits is written with its source text. Complexity: O(tokens), and O(n log n)
  /// for the members of sorted objects.
  ///
  /// - Returns: The number of levels, a scalar inside a container counted as one.
  @discardableResult
  package func value(
    _ tape: JSONTape, index: TokenIndex, sortsKeys: Bool = false, keepsReals: Bool = false
  ) -> Int {
    let tokens = tape.tokens
    let index = tape.resolved(index)
    let source = keepsReals ? tape : nil
    if scalar(tokens[index], source: source) { return 1 }
    var containers = containers
    self.containers = OpenContainers()
    var levels = 1
    var frame = open(tape, index: index, sortsKeys: sortsKeys, keys: &containers.keys)
    while true {
      guard frame.next < frame.end else {
        if frame.isObject { endObject() } else { endArray() }
        if frame.isListed {
          containers.keys.removeLast(containers.keys.count - frame.firstKey)
        }
        guard let around = containers.outer.popLast() else { break }
        frame = around
        continue
      }
      var value: TokenIndex
      if frame.isListed {
        let member = containers.keys[frame.next]
        key(tokens[member].bytes)
        value = member.next
        frame.next &+= 1
      } else {
        value = TokenIndex(frame.next)
        if frame.isObject {
          key(tokens[value].bytes)
          value = value.next
        }
        frame.next = tokens[value].end(at: value).offset
      }
      levels = max(levels, containers.outer.count &+ 2)
      value = tape.resolved(value)
      if !scalar(tokens[value], source: source) {
        containers.outer.append(frame)
        frame = open(tape, index: value, sortsKeys: sortsKeys, keys: &containers.keys)
      }
    }
    if containers.keys.capacity <= OpenContainers.keptKeys { self.containers = containers }
    return levels
  }

  private func open(
    _ tape: JSONTape, index: TokenIndex, sortsKeys: Bool, keys: inout [TokenIndex]
  ) -> Frame {
    let token = tape.tokens[index]
    let isObject = token.rawKind == JSONKind.object.rawValue
    if isObject { beginObject() } else { beginArray() }
    if !isObject || tape.hasAscendingKeys(index) {
      return Frame(isObject: isObject, next: index.next.offset, end: Int(token.size))
    }
    let firstKey = keys.count
    tape.distinctKeys(ofObject: index, sorted: sortsKeys, into: &keys)
    return Frame(
      isObject: true, isListed: true, next: firstKey, end: keys.count, firstKey: firstKey)
  }

  /// Writes a scalar value; returns false for a container.
  @inline(__always)
  private func scalar(_ token: JSONToken, source: JSONTape?) -> Bool {
    switch token.kind {
    case .null: null()
    case .false: boolean(false)
    case .true: boolean(true)
    case .integer: integer(token.integer)
    case .real:
      if let text = source?.exactText(of: token) { rawValue(text) } else { real(token.real) }
    case .largeNumber: rawValue(token.bytes)
    case .string: string(token.bytes)
    case .array, .object, .alias: return false
    }
    return true
  }

  /// Returns the tape's value at `index` as compact JSON with sorted keys, the same for equal
  /// values.
  ///
  /// The text is in the tape's scratch and valid until the tape is reset. Nil without memory.
  /// Complexity: O(tokens), and O(n log n) for the members of objects.
  package static func canonical(_ tape: JSONTape, index: TokenIndex) -> UnsafeBufferPointer<UInt8>?
  {
    var levels = 0
    return canonical(tape, index: index, levels: &levels)
  }

  /// Returns the same text, with the number of levels of nesting.
  static func canonical(
    _ tape: JSONTape, index: TokenIndex, levels: inout Int
  ) -> UnsafeBufferPointer<UInt8>? {
    let writer = tape.writer
    writer.reset()
    levels = writer.value(tape, index: index, sortsKeys: true, keepsReals: true)
    var text = writer.bytes
    if text.last == Byte.comma { text = UnsafeBufferPointer(rebasing: text.dropLast()) }
    guard !writer.lacksMemory, let copy = tape.scratch(text.count) else { return nil }
    if let source = text.baseAddress { copy.update(from: source, count: text.count) }
    return UnsafeBufferPointer(start: copy, count: text.count)
  }
}
