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
    if !tokens[index].isContainer {
      _ = scalar(tokens[index], of: tape, keepsReals: keepsReals)
      return 1
    }
    outer.removeLast(to: 0)
    listedKeys.removeLast(to: 0)
    let source = SourceStrings(tape)
    let hasAliases = tape.hasAliases
    guard var frame = open(tape, index: index, sortsKeys: sortsKeys) else { return 1 }
    // Members are a level below their container, even scalars.
    var levels = frame.next < frame.end ? 2 : 1
    while true {
      guard frame.next < frame.end else {
        if frame.isObject { endObject() } else { endArray() }
        if frame.isListed { listedKeys.removeLast(to: frame.firstKey) }
        if outer.count == 0 { return levels }
        outer.removeLast(to: outer.count &- 1)
        frame = outer.start[outer.count]
        continue
      }
      var value: TokenIndex
      if frame.isListed {
        let member = listedKeys.start[frame.next]
        string(tokens[member], in: source, terminator: Byte.colon)
        value = member.next
        frame.next &+= 1
      } else {
        value = TokenIndex(frame.next)
        if frame.isObject {
          string(tokens[value], in: source, terminator: Byte.colon)
          value = value.next
        }
        frame.next = tokens[value].end(at: value).offset
      }
      if hasAliases { value = tape.resolved(value) }
      let token = tokens[value]
      if token.rawKind == JSONKind.string.rawValue {
        string(token, in: source, terminator: Byte.comma)
      } else if !scalar(token, of: tape, keepsReals: keepsReals) {
        guard (try? outer.append(frame)) != nil,
          let inner = open(tape, index: value, sortsKeys: sortsKeys)
        else {
          noteRefusal()
          return levels
        }
        frame = inner
        levels = max(levels, outer.count &+ (frame.next < frame.end ? 2 : 1))
      }
    }
  }

  /// Begins a container; without memory it notes the refusal and returns nil.
  private func open(_ tape: JSONTape, index: TokenIndex, sortsKeys: Bool) -> Frame? {
    let token = tape.tokens[index]
    guard token.rawKind == JSONKind.object.rawValue else {
      beginArray()
      return Frame(isObject: false, next: index.next.offset, end: Int(token.size))
    }
    beginObject()
    if token.payload <= 1 || tape.hasAscendingKeys(index) {
      return Frame(isObject: true, next: index.next.offset, end: Int(token.size))
    }
    let first = listedKeys.count
    guard (try? tape.distinctKeys(ofObject: index, sorted: sortsKeys, into: &listedKeys)) != nil
    else {
      noteRefusal()
      return nil
    }
    return Frame(
      isObject: true, isListed: true, next: first, end: listedKeys.count, firstKey: first)
  }

  /// Writes a scalar value of a tape; returns false for a container.
  @inline(never)
  func scalar(_ token: JSONToken, of tape: JSONTape, keepsReals: Bool) -> Bool {
    switch token.rawKind {
    case JSONKind.string.rawValue: string(token.bytes)
    case JSONKind.array.rawValue, JSONKind.object.rawValue, JSONKind.alias.rawValue: return false
    case JSONKind.integer.rawValue: integer(token.integer)
    case JSONKind.real.rawValue:
      if keepsReals, let text = tape.exactText(of: token) {
        rawValue(text)
      } else {
        real(token.real)
      }
    case JSONKind.largeNumber.rawValue: rawValue(token.bytes)
    case JSONKind.true.rawValue: boolean(true)
    case JSONKind.false.rawValue: boolean(false)
    default: null()
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
    return writer.keepText(on: tape)
  }

  /// Copies the text of the only value to a tape's scratch; nil without memory.
  func keepText(on tape: JSONTape) -> UnsafeBufferPointer<UInt8>? {
    var count = cursor - start
    if count > 0, cursor[-1] == Byte.comma { count &-= 1 }
    guard !lacksMemory, let copy = tape.scratch(count) else { return nil }
    copy.update(from: start, count: count)
    return UnsafeBufferPointer(start: copy, count: count)
  }
}
