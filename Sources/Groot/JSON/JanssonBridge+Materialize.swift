// Making jansson values from a tape.

import CJansson

extension JanssonBridge {
  /// A number on a tape that jansson's types cannot hold.
  package struct TooLarge: Error {
    /// Its place on the tape.
    package let token: TokenIndex
    package let message: String

    init(_ token: JSONToken, index: TokenIndex) {
      self.token = index
      let text = String(decoding: token.bytes.prefix(40), as: UTF8.self)
      message =
        "the number \(text)\(token.bytes.count > 40 ? "..." : "") is beyond what a json_t holds"
    }
  }

  /// A container that is built.
  ///
  /// Its parent owns the reference; for the root, the caller does.
  private struct Builder {
    var json: UnsafeMutablePointer<json_t>
    var isObject: Bool
    var token: TokenIndex
    var next: TokenIndex
    var end: TokenIndex
    /// The number of its values so far, and of its levels of nesting.
    var size = 1
    var height = 1

    mutating func add(_ size: Int, height: Int) {
      self.size = min(self.size &+ size &+ (isObject ? 1 : 0), Int(UInt32.max))
      self.height = max(self.height, height &+ 1)
    }
  }

  /// Returns the tape's value at `index` as a jansson value, whose reference the caller owns.
  ///
  /// Strings are copied. Of duplicate keys the last counts. Throws ``TooLarge`` for a large number,
  /// and `limitExceeded` without memory. Complexity: O(values).
  package static func materialize(
    _ tape: JSONTape, index: TokenIndex
  ) throws -> UnsafeMutablePointer<json_t> {
    try make(tape, index: index, shared: nil)
  }

  /// Returns a shared jansson value for callbacks.
  ///
  /// A container is made once and shared by all values that contain it, so it must not be changed.
  package static func share(
    _ tape: JSONTape, index: TokenIndex
  ) throws -> UnsafeMutablePointer<json_t> {
    guard tape.tokens[index].rawKind >= JSONKind.array.rawValue else {
      return try make(tape, index: index, shared: nil)
    }
    let shared = tape.shared
    if let json = shared.json(index) {
      _ = groot_json_retain(json)
      return json
    }
    return try make(tape, index: index, shared: shared)
  }

  private static func make(
    _ tape: JSONTape, index: TokenIndex, shared: SharedJSON?
  ) throws -> UnsafeMutablePointer<json_t> {
    let tokens = tape.tokens
    let root = try makeValue(tokens, index: index)
    guard tokens[index].rawKind >= JSONKind.array.rawValue else { return root }
    var stack = [builder(root, token: tokens[index], index: index)]
    while let top = stack.indices.last {
      let builder = stack[top]
      guard builder.next < builder.end else {
        stack.removeLast()
        do {
          try shared?.keep(
            builder.json, token: builder.token, on: tape, size: builder.size,
            height: builder.height)
        } catch {
          groot_json_release(root)
          throw error
        }
        if top > 0 { stack[top - 1].add(builder.size, height: builder.height) }
        continue
      }
      let member = builder.isObject ? builder.next.next : builder.next
      stack[top].next = tokens[member].end(at: member)
      let value = tape.resolved(member)
      let isContainer = tokens[value].rawKind >= JSONKind.array.rawValue
      do {
        let known = isContainer ? shared?.json(value) : nil
        let json = try known ?? makeValue(tokens, index: value)
        if known != nil { _ = groot_json_retain(json) }
        // Jansson takes over the reference, even if it fails.
        guard attach(json, to: builder, key: tokens[builder.next]) else { throw outOfMemory }
        if known != nil, let extent = shared?.extent(value) {
          stack[top].add(extent.size, height: extent.height)
        } else if isContainer {
          stack.append(self.builder(json, token: tokens[value], index: value))
        } else {
          stack[top].add(1, height: 1)
        }
      } catch {
        groot_json_release(root)
        throw error
      }
    }
    return root
  }

  private static func builder(
    _ json: UnsafeMutablePointer<json_t>, token: JSONToken, index: TokenIndex
  ) -> Builder {
    Builder(
      json: json, isObject: token.rawKind == JSONKind.object.rawValue, token: index,
      next: index.next, end: TokenIndex(Int(token.size)))
  }

  private static func attach(
    _ json: UnsafeMutablePointer<json_t>, to builder: Builder, key: JSONToken
  ) -> Bool {
    guard builder.isObject else { return json_array_append_new(builder.json, json) == 0 }
    return withCharacters(key) { bytes, length in
      json_object_setn_new_nocheck(builder.json, bytes, length, json) == 0
    }
  }

  /// Makes a value of the token's kind; containers are empty.
  private static func makeValue(
    _ tokens: UnsafePointer<JSONToken>, index: TokenIndex
  ) throws -> UnsafeMutablePointer<json_t> {
    let token = tokens[index]
    let json =
      switch token.kind {
      case .null: json_null()
      case .false: json_false()
      case .true: json_true()
      case .integer: json_integer(json_int_t(token.integer))
      case .real: json_real(token.real)
      case .largeNumber:
        // A json_t has only doubles, so a real with more digits becomes the nearest double.
        if let real = nearestReal(token.bytes) {
          json_real(real)
        } else {
          throw TooLarge(token, index: index)
        }
      case .string: withCharacters(token) { json_stringn_nocheck($0, $1) }
      case .array: json_array()
      case .object: json_object()
      case .alias: json_null()
      }
    guard let json else { throw outOfMemory }
    return json
  }

  /// Returns the double nearest to a number with a point or an exponent; nil for other numbers, or
  /// beyond doubles.
  private static func nearestReal(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    guard text.contains(where: { $0 == Byte.point || $0 | 0x20 == Byte.e }) else { return nil }
    return NumberText.parseDouble(text)
  }

  private static var outOfMemory: GrootError {
    GrootError(.outOfMemory, "no memory for the JSON value")
  }

  private static func withCharacters<Result>(
    _ token: JSONToken, body: (UnsafePointer<CChar>, Int) -> Result
  ) -> Result {
    let bytes = token.bytes
    guard let base = bytes.baseAddress else { return body("", bytes.count) }
    return body(UnsafeRawPointer(base).assumingMemoryBound(to: CChar.self), bytes.count)
  }
}
