// Writing values of a tape.

extension JSONWriter {
  /// A container that is written: the keys of its members are the last `keys` of the list; the
  /// elements of an array are from `next` to `end`.
  private struct Frame {
    var isObject: Bool
    var next: Int
    var end: Int
    var firstKey: Int
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
    var levels = 1
    var keys: [TokenIndex] = []
    var stack: [Frame] = []
    open(tape, index: index, sortsKeys: sortsKeys, stack: &stack, keys: &keys)
    while let top = stack.indices.last {
      let frame = stack[top]
      guard frame.next < frame.end else {
        if frame.isObject { endObject() } else { endArray() }
        keys.removeSubrange(frame.firstKey...)
        stack.removeLast()
        continue
      }
      var value = TokenIndex(frame.next)
      if frame.isObject {
        let member = keys[frame.next]
        key(tokens[member].bytes)
        value = member.next
        stack[top].next &+= 1
      } else {
        stack[top].next = tokens[value].end(at: value).offset
      }
      levels = max(levels, stack.count &+ 1)
      value = tape.resolved(value)
      if !scalar(tokens[value], source: source) {
        open(tape, index: value, sortsKeys: sortsKeys, stack: &stack, keys: &keys)
      }
    }
    return levels
  }

  private func open(
    _ tape: JSONTape, index: TokenIndex, sortsKeys: Bool, stack: inout [Frame],
    keys: inout [TokenIndex]
  ) {
    let token = tape.tokens[index]
    let firstKey = keys.count
    if token.rawKind == JSONKind.object.rawValue {
      beginObject()
      tape.distinctKeys(ofObject: index, sorted: sortsKeys, into: &keys)
      stack.append(Frame(isObject: true, next: firstKey, end: keys.count, firstKey: firstKey))
    } else {
      beginArray()
      stack.append(
        Frame(
          isObject: false, next: index.next.offset, end: Int(token.size), firstKey: firstKey))
    }
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
