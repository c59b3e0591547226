// JSON values from a tape, and onto a tape.

extension JSONValue {
  /// A container that is read from a tape.
  private struct Reading {
    var isObject: Bool
    var next: TokenIndex
    var end: TokenIndex
    var key = ""
    var elements: [JSONValue] = []
    var members = JSONObject()
  }

  /// Makes the tape's value at `index`; of duplicate keys the last counts.
  ///
  /// Strings are copied. Complexity: O(tokens).
  ///
  /// - Parameter keepsDigits: Whether a real becomes a large number if its double does not
  ///   determine the number.
  package init(_ tape: JSONTape, index: TokenIndex, keepsDigits: Bool = false) {
    var stack: [Reading] = []
    var current = index
    while true {
      let found = tape.resolved(current)
      let token = tape.tokens[found]
      var value: JSONValue?
      switch token.kind {
      case .null: value = .null
      case .false: value = .boolean(false)
      case .true: value = .boolean(true)
      case .integer: value = .integer(token.integer)
      case .real:
        let text = keepsDigits ? tape.neededText(of: token) : nil
        value = text.map { .largeNumber(LargeNumber(scanned: $0)) } ?? .real(token.real)
      case .largeNumber: value = .largeNumber(LargeNumber(scanned: token.bytes))
      case .string: value = .string(String(decoding: token.bytes, as: UTF8.self))
      case .array, .object, .alias:
        stack.append(
          Reading(
            isObject: token.kind == .object, next: found + 1, end: TokenIndex(Int(token.size))))
      }
      // Adds the value to its container, and a complete container to its own.
      while true {
        guard let top = stack.indices.last else {
          self = value ?? .null
          return
        }
        if let value {
          if stack[top].isObject {
            stack[top].members[stack[top].key] = value
          } else {
            stack[top].elements.append(value)
          }
        }
        if stack[top].next < stack[top].end { break }
        let done = stack.removeLast()
        value = done.isObject ? .object(done.members) : .array(done.elements)
      }
      let top = stack.endIndex - 1
      current = stack[top].next
      if stack[top].isObject {
        stack[top].key = String(decoding: tape.tokens[current].bytes, as: UTF8.self)
        current = current.next
      }
      stack[top].next = tape.end(of: current)
    }
  }

  /// A container that is put on a tape.
  private struct Appending {
    var elements: [JSONValue]
    var members: [(key: String, value: JSONValue)]
    var isObject: Bool
    var position = 0
    var token: TokenIndex
  }

  /// Appends the value to the tape, copies strings to its scratch, and returns its index.
  ///
  /// Throws `limitExceeded` for a value of more than `maxDepth` levels, without changing the tape.
  /// Complexity: O(size).
  @discardableResult
  package func append(
    to tape: JSONTape, maxDepth: Int = JanssonBridge.maxDepth
  ) throws -> TokenIndex {
    let index = tape.next
    do {
      try appendValue(to: tape, maxDepth)
    } catch {
      tape.count = index.offset
      throw error
    }
    return index
  }

  private func appendValue(to tape: JSONTape, _ maxDepth: Int) throws {
    var stack: [Appending] = []
    var next: JSONValue? = self
    while true {
      if let value = next {
        guard stack.count < maxDepth else { throw JanssonBridge.tooDeep(maxDepth) }
        if let opened = try value.appendToken(to: tape) { stack.append(opened) }
      }
      next = nil
      guard let top = stack.indices.last else { return }
      let position = stack[top].position
      stack[top].position += 1
      if stack[top].isObject, position < stack[top].members.count {
        try Self.append(stack[top].members[position].key, to: tape)
        next = stack[top].members[position].value
      } else if !stack[top].isObject, position < stack[top].elements.count {
        next = stack[top].elements[position]
      } else {
        let token = stack.removeLast().token
        tape.tokens[token].head |= UInt64(tape.count) &<< 32
      }
    }
  }

  /// Appends the value's token; returns the remaining content of a container.
  private func appendToken(to tape: JSONTape) throws -> Appending? {
    let token = tape.next
    switch self {
    case .null: try tape.append(JSONToken(kind: .null))
    case .boolean(let value): try tape.append(JSONToken(kind: value ? .true : .false))
    case .integer(let value):
      try tape.append(JSONToken(kind: .integer, payload: UInt64(bitPattern: value)))
    case .real(let value):
      // JSON has no text for infinities and NaN.
      let isFinite = value.isFinite
      try tape.append(
        JSONToken(kind: isFinite ? .real : .null, payload: isFinite ? value.bitPattern : 0))
    case .largeNumber(let number): try Self.append(number.text, as: .largeNumber, to: tape)
    case .string(let text): try Self.append(text, to: tape)
    case .array(let elements):
      try tape.append(JSONToken(kind: .array, payload: UInt64(elements.count)))
      return Appending(elements: elements.elements, members: [], isObject: false, token: token)
    case .object(let object):
      try tape.append(JSONToken(kind: .object, payload: UInt64(object.count)))
      return Appending(elements: [], members: object.members, isObject: true, token: token)
    }
    return nil
  }

  private static func append(
    _ text: String, as kind: JSONKind = .string, to tape: JSONTape
  ) throws {
    var text = text
    _ = try text.withUTF8 { try tape.append(copying: $0, as: kind) }
  }
}
