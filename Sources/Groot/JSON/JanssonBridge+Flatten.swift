// Putting jansson values on a tape.

import CJansson

extension JanssonBridge {
  /// The greatest number of values in repeated containers, the first time not counted: a tree of a
  /// few shared containers can have any number of values.
  package static let maxRepeatedValues = 1 << 22

  /// The count of values in repeated containers.
  private struct Repetitions {
    private var seen: Set<UnsafeMutablePointer<json_t>> = []
    private var count = 0
    /// The depth of the outermost repeated container around, and the number of tokens before it.
    private var outermost: (depth: Int, start: Int)?

    @inline(__always)
    mutating func enter(_ json: UnsafeMutablePointer<json_t>, at depth: Int, tokens: Int) throws {
      if groot_json_references(json) > 1 || outermost != nil {
        try note(json, depth: depth, tokens: tokens)
      }
    }

    private mutating func note(
      _ json: UnsafeMutablePointer<json_t>, depth: Int, tokens: Int
    ) throws {
      if let outermost { return try check(tokens - outermost.start) }
      if !seen.insert(json).inserted { outermost = (depth, tokens) }
    }

    @inline(__always)
    mutating func leave(at depth: Int, _ tokens: Int) throws {
      guard let start = outermost, start.depth == depth else { return }
      try check(tokens - start.start)
      count += tokens - start.start + 1
      outermost = nil
    }

    private func check(_ more: Int) throws {
      guard count + more <= maxRepeatedValues else {
        throw GrootError(
          .limitExceeded,
          "the json_t repeats containers: it has more than \(maxRepeatedValues) values in all")
      }
    }
  }

  /// A container that is flattened: its remaining values, and its token.
  private struct Frame {
    var json: UnsafeMutablePointer<json_t>
    /// The next member of an object.
    var member: UnsafeMutableRawPointer?
    /// The next element of an array.
    var element: Int
    var token: TokenIndex
  }

  /// Appends a jansson value to the tape and returns its index.
  ///
  /// Strings point into the borrowed json_t, which must outlive the tape's content; with
  /// `copiesStrings` they are copied to the tape's scratch. A shared container is appended for each
  /// reference: all repetitions together may have ``maxRepeatedValues`` values. Throws
  /// `limitExceeded` for more, for a value that contains itself or nests more than `maxDepth`
  /// levels deep, or without memory. Throws `invalidArgument` for a kind unknown to jansson 2.14,
  /// `unsupported` for a value of another copy of jansson. A failure does not change the tape.
  /// Complexity: O(values).
  @discardableResult
  package static func flatten(
    _ json: UnsafeMutablePointer<json_t>, onto tape: JSONTape,
    maxDepth: Int = JanssonBridge.maxDepth, copiesStrings: Bool = false
  ) throws -> TokenIndex {
    let index = tape.next
    do {
      try flattenValue(json, on: tape, maxDepth: maxDepth, copies: copiesStrings, shared: nil)
    } catch {
      tape.count = index.offset
      throw error
    }
    return index
  }

  /// Puts the result of a callback on the tape, copies its strings, and returns its index.
  ///
  /// Containers that the callback received are already on the tape: the result itself may be one,
  /// and those nested in it become aliases. Otherwise as
  /// ``flatten(_:onto:maxDepth:copiesStrings:)``.
  package static func takeBack(
    _ json: UnsafeMutablePointer<json_t>, onto tape: JSONTape
  ) throws -> TokenIndex {
    guard groot_json_kind(json) <= Int32(JSON_ARRAY.rawValue) else {
      return try flatten(json, onto: tape, copiesStrings: true)
    }
    let shared = tape.shared
    if let token = shared.token(of: json) { return token }
    let index = tape.next
    do {
      try flattenValue(json, on: tape, maxDepth: maxDepth, copies: true, shared: shared)
    } catch {
      tape.count = index.offset
      throw error
    }
    return index
  }

  private static func flattenValue(
    _ root: UnsafeMutablePointer<json_t>, on tape: JSONTape, maxDepth: Int, copies: Bool,
    shared: SharedJSON?
  ) throws {
    let first = tape.next
    var stack: [Frame] = []
    var repeated = Repetitions()
    /// The number of values that aliases refer to.
    var aliasedCount = 0
    var isOfOurJansson = false
    var next: UnsafeMutablePointer<json_t>? = root
    while true {
      if let json = next {
        guard stack.count < maxDepth else { throw tooDeep(maxDepth) }
        let token = tape.next
        if let shared, groot_json_kind(json) <= Int32(JSON_ARRAY.rawValue),
          let known = shared.token(of: json)
        {
          let extent = shared.extent(known)
          guard stack.count + extent.height <= maxDepth else { throw tooDeep(maxDepth) }
          aliasedCount += extent.size
          guard aliasedCount <= tape.maximumCount else { throw JSONTape.outOfRoom }
          try tape.append(aliasOf: known)
        } else if let kind = try appendToken(json, on: tape, copies: copies) {
          if token > first {
            guard json != root else { throw selfContaining }
            try repeated.enter(json, at: stack.count, tokens: tape.count)
          }
          let member = kind == .object ? json_object_iter(json) : nil
          if let member, !isOfOurJansson {
            try requireOurs(json, first: member)
            isOfOurJansson = true
          }
          stack.append(Frame(json: json, member: member, element: 0, token: token))
        }
      }
      next = nil
      guard let top = stack.indices.last else { return }
      let frame = stack[top]
      if let member = frame.member {
        guard let key = json_object_iter_key(member) else { throw unknownKind }
        try appendString(key, length: json_object_iter_key_len(member), on: tape, copies: copies)
        stack[top].member = json_object_iter_next(frame.json, member)
        next = json_object_iter_value(member)
        if next == nil { throw unknownKind }
      } else if frame.element < json_array_size(frame.json) {
        stack[top].element += 1
        next = json_array_get(frame.json, frame.element)
        if next == nil { throw unknownKind }
      } else {
        close(frame, on: tape)
        stack.removeLast()
        try repeated.leave(at: stack.count, tape.count)
      }
    }
  }

  /// Rejects an object of another copy of jansson: each copy hashes keys with its own seed, so this
  /// one does not find the object's keys.
  private static func requireOurs(
    _ object: UnsafeMutablePointer<json_t>, first member: UnsafeMutableRawPointer
  ) throws {
    guard let key = json_object_iter_key(member) else { throw unknownKind }
    let found = json_object_getn(object, key, json_object_iter_key_len(member))
    guard found != nil, found == json_object_iter_value(member) else {
      throw GrootError(
        .unsupported,
        "the json_t was made by another copy of jansson than the one that this library uses; link "
          + "one libjansson to all of the program, or take the functions that take text")
    }
  }

  /// Appends the token of a value; returns the kind of a container, which is closed later.
  private static func appendToken(
    _ json: UnsafeMutablePointer<json_t>, on tape: JSONTape, copies: Bool
  ) throws -> JSONKind? {
    switch json_type(rawValue: UInt32(bitPattern: groot_json_kind(json))) {
    case JSON_NULL: try tape.append(JSONToken(kind: .null))
    case JSON_FALSE: try tape.append(JSONToken(kind: .false))
    case JSON_TRUE: try tape.append(JSONToken(kind: .true))
    case JSON_INTEGER:
      let value = UInt64(bitPattern: Int64(json_integer_value(json)))
      try tape.append(JSONToken(kind: .integer, payload: value))
    case JSON_REAL:
      let real = json_real_value(json)
      // jansson does not make infinities and NaN, but a program can.
      guard real.isFinite else {
        throw GrootError(.outOfRange, "a real of the json_t is \(real), which JSON does not have")
      }
      try tape.append(JSONToken(kind: .real, payload: real.bitPattern))
    case JSON_STRING:
      guard let bytes = json_string_value(json) else { throw unknownKind }
      try appendString(bytes, length: json_string_length(json), on: tape, copies: copies)
    case JSON_ARRAY:
      try tape.append(JSONToken(kind: .array, payload: UInt64(json_array_size(json))))
      return .array
    case JSON_OBJECT:
      try tape.append(JSONToken(kind: .object, payload: UInt64(json_object_size(json))))
      return .object
    default: throw unknownKind
    }
    return nil
  }

  private static func appendString(
    _ text: UnsafePointer<CChar>, length: Int, on tape: JSONTape, copies: Bool
  ) throws {
    let bytes = UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self)
    // json_string_nocheck and similar functions accept invalid UTF-8.
    guard Byte.isUTF8(bytes, count: length) else {
      throw GrootError(.invalidUTF8, "a string or key of the json_t is not UTF-8")
    }
    if copies {
      try tape.append(copying: UnsafeBufferPointer(start: bytes, count: length))
      return
    }
    guard length <= Int(UInt32.max) else { throw JSONTape.outOfRoom }
    try tape.append(
      JSONToken(
        kind: .string, size: UInt32(truncatingIfNeeded: length),
        payload: UInt64(UInt(bitPattern: bytes))))
  }

  private static func close(_ frame: Frame, on tape: JSONTape) {
    let token = tape.tokens[frame.token]
    tape.tokens[frame.token] = JSONToken(
      kind: token.kind, size: UInt32(truncatingIfNeeded: tape.count), payload: token.payload)
  }

  private static var selfContaining: GrootError {
    GrootError(.limitExceeded, "the json_t contains itself")
  }

  static func tooDeep(_ maxDepth: Int) -> GrootError {
    GrootError(.limitExceeded, "the JSON value nests more than \(maxDepth) levels deep")
  }

  private static var unknownKind: GrootError {
    GrootError(.invalidArgument, "the json_t has a kind that is unknown to jansson 2.14")
  }
}
