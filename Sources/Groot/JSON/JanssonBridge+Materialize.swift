import CJansson

extension JanssonBridge {
  /// A container being built.
  ///
  /// The reference is held by its parent; the root's by the caller.
  private struct Builder {
    var json: UnsafeMutablePointer<json_t>
    var isObject: Bool
    var next: Int
    var end: Int
  }

  /// The tape's value at `index` as a jansson value; nil when there is no memory.
  ///
  /// The caller owns the reference. Strings are copied. Of duplicate keys the last counts.
  /// Complexity: O(values).
  package static func materialize(_ tape: JSONTape, _ index: Int) -> UnsafeMutablePointer<json_t>? {
    let tokens = tape.tokens
    guard let root = makeValue(tokens[index]) else { return nil }
    guard tokens[index].rawKind >= JSONKind.array.rawValue else { return root }
    var stack = [builder(root, tokens[index], index)]
    while let top = stack.indices.last {
      let builder = stack[top]
      guard builder.next < builder.end else {
        stack.removeLast()
        continue
      }
      let value = builder.isObject ? builder.next &+ 1 : builder.next
      let token = tokens[value]
      stack[top].next = token.end(at: value)
      let json = makeValue(token)
      // Jansson takes over the reference, also when it fails, and refuses a missing value.
      guard attach(json, to: builder, key: tokens[builder.next]), let json else {
        groot_json_release(root)
        return nil
      }
      if token.rawKind >= JSONKind.array.rawValue {
        stack.append(self.builder(json, token, value))
      }
    }
    return root
  }

  private static func builder(
    _ json: UnsafeMutablePointer<json_t>, _ token: JSONToken, _ index: Int
  ) -> Builder {
    Builder(
      json: json, isObject: token.rawKind == JSONKind.object.rawValue, next: index &+ 1,
      end: Int(token.size))
  }

  private static func attach(
    _ json: UnsafeMutablePointer<json_t>?, to builder: Builder, key: JSONToken
  ) -> Bool {
    guard builder.isObject else { return json_array_append_new(builder.json, json) == 0 }
    return withCharacters(key) { bytes, length in
      json_object_setn_new_nocheck(builder.json, bytes, length, json) == 0
    }
  }

  /// A new value of the token's kind; containers are empty.
  private static func makeValue(_ token: JSONToken) -> UnsafeMutablePointer<json_t>? {
    switch token.kind {
    case .null: json_null()
    case .false: json_false()
    case .true: json_true()
    case .integer: json_integer(json_int_t(token.integer))
    case .real: json_real(token.real)
    case .string: withCharacters(token) { json_stringn_nocheck($0, $1) }
    case .array: json_array()
    case .object: json_object()
    }
  }

  private static func withCharacters<Result>(
    _ token: JSONToken, _ body: (UnsafePointer<CChar>, Int) -> Result
  ) -> Result {
    let bytes = token.bytes
    guard let base = bytes.baseAddress else { return body("", 0) }
    return body(UnsafeRawPointer(base).assumingMemoryBound(to: CChar.self), bytes.count)
  }
}
