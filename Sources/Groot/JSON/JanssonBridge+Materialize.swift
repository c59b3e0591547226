import CJansson

extension JanssonBridge {
  /// A number on a tape that jansson's types cannot hold.
  package struct TooLarge: Error {
    /// Where it stands on the tape.
    package let token: Int
    package let message: String

    init(_ token: JSONToken, _ index: Int) {
      self.token = index
      let text = String(decoding: token.bytes.prefix(40), as: UTF8.self)
      message =
        "the number \(text)\(token.bytes.count > 40 ? "..." : "") is beyond what a json_t holds"
    }
  }

  /// A container being built.
  ///
  /// The reference is held by its parent; the root's by the caller.
  private struct Builder {
    var json: UnsafeMutablePointer<json_t>
    var isObject: Bool
    var next: Int
    var end: Int
  }

  /// The tape's value at `index` as a jansson value, whose reference the caller owns.
  ///
  /// Strings are copied. Of duplicate keys the last counts. Throws ``TooLarge`` for a large number, and
  /// `limitExceeded` when there is no memory. Complexity: O(values).
  package static func materialize(
    _ tape: JSONTape, _ index: Int
  ) throws -> UnsafeMutablePointer<json_t> {
    let tokens = tape.tokens
    let root = try makeValue(tokens, index)
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
      let json: UnsafeMutablePointer<json_t>
      do {
        json = try makeValue(tokens, value)
        // Jansson takes over the reference, also when it fails.
        guard attach(json, to: builder, key: tokens[builder.next]) else { throw outOfMemory }
      } catch {
        groot_json_release(root)
        throw error
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
    _ json: UnsafeMutablePointer<json_t>, to builder: Builder, key: JSONToken
  ) -> Bool {
    guard builder.isObject else { return json_array_append_new(builder.json, json) == 0 }
    return withCharacters(key) { bytes, length in
      json_object_setn_new_nocheck(builder.json, bytes, length, json) == 0
    }
  }

  /// A new value of the token's kind; containers are empty.
  private static func makeValue(
    _ tokens: UnsafePointer<JSONToken>, _ index: Int
  ) throws -> UnsafeMutablePointer<json_t> {
    let token = tokens[index]
    let json =
      switch token.kind {
      case .null: json_null()
      case .false: json_false()
      case .true: json_true()
      case .integer: json_integer(json_int_t(token.integer))
      case .real: json_real(token.real)
      case .largeNumber: throw TooLarge(token, index)
      case .string: withCharacters(token) { json_stringn_nocheck($0, $1) }
      case .array: json_array()
      case .object: json_object()
      }
    guard let json else { throw outOfMemory }
    return json
  }

  private static var outOfMemory: GrootError {
    GrootError(.limitExceeded, "no memory for the JSON value")
  }

  private static func withCharacters<Result>(
    _ token: JSONToken, _ body: (UnsafePointer<CChar>, Int) -> Result
  ) -> Result {
    let bytes = token.bytes
    guard let base = bytes.baseAddress else { return body("", 0) }
    return body(UnsafeRawPointer(base).assumingMemoryBound(to: CChar.self), bytes.count)
  }
}
