import CJansson

/// The bridge between tapes and jansson, which defines valid JSON.
package enum JanssonBridge {
  /// The greatest depth of values in jansson; a scalar inside a container counts as a level.
  package static let maxDepth = 2048

  /// The result of jansson for some bytes.
  enum Loaded {
    /// A value, and the number of its bytes with the white space before it.
    case value(JanssonValue, consumed: Int)
    /// Valid JSON in as many bytes, but jansson's types cannot hold the value.
    case beyondTypes(consumed: Int)
    /// A syntax error.
    case syntaxError(SyntaxError)
  }

  /// The reason why jansson refused some bytes.
  struct SyntaxError {
    /// Jansson's message.
    var message: String
    /// The number of bytes it had read.
    var position: Int
    /// Whether the value nests too deep.
    var isTooDeep: Bool

    /// The status of this error in an issue.
    var status: Status { isTooDeep ? .limitExceeded : .invalidJSON }

    /// Makes an error whose message has `near` instead of the text that jansson was given.
    init(_ error: json_error_t, near: [UInt8]? = nil) {
      var error = error
      var text = Self.text(&error)
      if let near, let given = Self.near(text) { text.replaceSubrange(given, with: near) }
      message = String(decoding: text, as: UTF8.self)
      if message.isEmpty { message = "jansson could not read the text" }
      position = max(0, Int(error.position))
      isTooDeep = groot_json_error_is_depth(&error) != 0
    }

    private static func text(_ error: inout json_error_t) -> [UInt8] {
      withUnsafeBytes(of: &error.text) { bytes in Array(bytes.prefix { $0 != 0 }) }
    }

    /// Returns the text near an error, from its message.
    static func near(_ error: inout json_error_t) -> [UInt8]? {
      let text = text(&error)
      return near(text).map { Array(text[$0]) }
    }

    /// Returns the range of that text in a message: after ` near '`, before the last quote.
    private static func near(_ text: [UInt8]) -> Range<Int>? {
      let mark = Array(" near '".utf8)
      guard text.last == mark.last, text.count > mark.count else { return nil }
      for start in 0..<text.count - mark.count
      where text[start..<start + mark.count].elementsEqual(mark) {
        return start + mark.count..<text.count - 1
      }
      return nil
    }
  }
}

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
    guard UTF8Text.isValid(bytes, count: length) else {
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

// Checking bytes with jansson. Bytes that it refuses only because of its types are valid JSON.

extension JanssonBridge {
  /// Returns the error of a text that json_loadb does not accept as a value of any kind; nil if it
  /// does.
  package static func refusal(of text: UnsafeRawBufferPointer) -> GrootError? {
    guard text.count <= Int(Int32.max) else {
      return GrootError(.limitExceeded, "the text is longer than the 2 GiB jansson can read")
    }
    let judged = judge([], text: text, flags: Int(JSON_DECODE_ANY))
    guard case .syntaxError(let error) = judged else { return nil }
    let location = TextLocation(of: error.position, in: text)
    return GrootError(
      GrootIssue(
        error.status, error.message, line: location.line, column: location.column,
        offset: error.position))
  }

  /// Parses the first value in some bytes, of any kind, with any bytes after it.
  static func loadPrefix(_ text: UnsafeRawBufferPointer) -> Loaded {
    load(text, flags: Int(JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK))
  }

  /// Parses a value of any kind, after which only white space may follow.
  static func loadWhole(_ text: UnsafeRawBufferPointer) -> Loaded {
    load(text, flags: Int(JSON_DECODE_ANY))
  }

  private static func load(_ text: UnsafeRawBufferPointer, flags: Int) -> Loaded {
    var error = json_error_t()
    let options = flags | Int(JSON_ALLOW_NUL)
    // Jansson takes no null pointer, not even for an empty text.
    let json =
      if let start = text.baseAddress {
        json_loadb(start.assumingMemoryBound(to: CChar.self), text.count, options, &error)
      } else {
        json_loadb("", text.count, options, &error)
      }
    guard let json else {
      let isSure = groot_json_error_is_of_types(&error) == 0 && !hasNUL(text, count: text.count)
      return isSure ? .syntaxError(SyntaxError(error)) : judge([], text: text, flags: flags)
    }
    let value = JanssonValue(owning: json)
    let consumed = max(0, Int(error.position))
    // Jansson did not see a NUL byte in a value.
    if hasNUL(text, count: consumed) { return judge([], text: text, flags: flags) }
    return .value(value, consumed: consumed)
  }

  private static func hasNUL(_ text: UnsafeRawBufferPointer, count: Int) -> Bool {
    guard let start = text.baseAddress else { return false }
    return CLibrary.find(0, in: start, count: min(count, text.count)) != nil
  }

  /// Returns the error that jansson finds in `prefix` followed by `text`; nil without one.
  ///
  /// Its position is counted from the beginning of `text`. Used only for the messages of errors.
  static func diagnose(_ prefix: [UInt8], text: UnsafeRawBufferPointer) -> SyntaxError? {
    guard case .syntaxError(var error) = judge(prefix, text: text, flags: 0) else { return nil }
    error.position = max(0, error.position - prefix.count)
    return error
  }

  /// Judges `prefix` followed by `text` with jansson, regardless of the limits of its types.
  private static func judge(
    _ prefix: [UInt8], text: UnsafeRawBufferPointer, flags: Int
  ) -> Loaded {
    prefix.withUnsafeBytes { head in
      var error = json_error_t()
      var source = StandInText(head, text: text)
      let json = withUnsafeMutableBytes(of: &source) { bytes in
        json_load_callback(
          { buffer, room, data in
            guard let buffer, let data else { return 0 }
            return data.assumingMemoryBound(to: StandInText.self).pointee.read(buffer, room: room)
          }, bytes.baseAddress, flags, &error)
      }
      let position = max(0, Int(error.position))
      if let json {
        groot_json_release(json)
        return .beyondTypes(consumed: position)
      }
      let near = SyntaxError.near(&error).flatMap {
        StandInText.original(of: $0, endingAt: position, in: head, text)
      }
      return .syntaxError(SyntaxError(error, near: near))
    }
  }
}

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
