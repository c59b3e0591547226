/// A JSON value in flat memory, which the engine reads instead of a tree.
///
/// A tape holds tokens in the order of the text: an array's token, then its elements; an object's
/// token, then key and value of each member. The results of callbacks are appended after the first
/// value. A tape is reused: ``reset()`` empties it and keeps its memory.
///
/// Strings point into the source text or into the tape's scratch; the source text must outlive the
/// tape's content. Not thread-safe; a tape belongs to one reader at a time.
package final class JSONTape {
  /// The tokens; `count` of them are set.
  ///
  /// The pointer changes when the tape grows.
  @exclusivity(unchecked) package private(set) var tokens: UnsafeMutablePointer<JSONToken>
  /// The number of tokens on the tape.
  ///
  /// Code that writes through ``tokens`` must set it.
  @exclusivity(unchecked) package var count = 0
  /// The number of tokens that fit the memory.
  @exclusivity(unchecked) private(set) var capacity: Int
  /// The bytes of strings that are not in the source text.
  @exclusivity(unchecked) private(set) var arena: JSONScratch
  /// The beginning of the source text of reals; nil if it is not in memory.
  @exclusivity(unchecked) var source: UnsafePointer<UInt8>?
  /// The end of the first value in the source text.
  @exclusivity(unchecked) var sourceEnd: UnsafePointer<UInt8>?
  /// 10^0 to 10^22, each exact as a Double; a member, because a global array costs a check per use.
  let powersOfTen: UnsafePointer<Double>

  /// The writer of the tape's values as text, kept for its buffer.
  lazy var writer = JSONWriter(capacity: 256, account: account)
  /// The tape for arrays that functions of many values get when they are called with one of this tape.
  lazy var lists = JSONTape(account)
  /// The account of its memory; nil without one.
  let account: MemoryAccount?
  /// Whether memory for tokens was refused since ``reset()``.
  @exclusivity(unchecked) private var lacksTokens = false

  /// An object that functions called with the tape keep between calls.
  package var callbackCache: AnyObject?
  /// The describer of the current call, for these functions.
  package weak var describer: (any CallDescriber)?

  /// The greatest number of tokens until ``reset()``; memory for more is refused.
  package var maximumCount = JSONTape.maxCount
  /// The greatest number of tokens after ``reset()``.
  package var ceiling = JSONTape.maxCount

  /// Whether aliases may be on the tape.
  @exclusivity(unchecked) package private(set) var hasAliases = false
  /// The tape's values as json_t for callbacks; nil before the first use.
  @exclusivity(unchecked) private var sharedJSON: SharedJSON?
  /// Whether ``reset()`` must do more than remove the tokens.
  private var isSharing = false

  /// An index has 31 bits, because importers use its sign.
  static let maxCount = Int(Int32.max) - 1
  private static let powerCount = 23
  private static let initialCapacity = 256

  /// Makes an empty tape; one that is exchanged with tapes of other threads has strings of no account.
  package init(_ account: MemoryAccount? = nil, isExchanged: Bool = false) {
    self.account = account
    arena = JSONScratch(isExchanged ? nil : account)
    tokens = Memory(account).allocateFew(JSONToken.self, count: Self.initialCapacity)
    capacity = Self.initialCapacity
    powersOfTen = Self.powers
  }

  deinit { Memory(account).release(tokens, count: capacity) }

  /// The powers of all tapes, which nothing changes or releases.
  nonisolated(unsafe) private static let powers: UnsafePointer<Double> = {
    let powers = UnsafeMutablePointer<Double>.allocate(capacity: powerCount)
    var power = 1.0
    for exponent in 0..<powerCount {
      powers[exponent] = power
      power *= 10
    }
    return UnsafePointer(powers)
  }()

  /// Empties the tape and keeps its memory.
  ///
  /// Complexity: O(1).
  @inline(__always)
  package func reset() {
    count = 0
    arena.reset()
    source = nil
    sourceEnd = nil
    maximumCount = ceiling
    lacksTokens = false
    if isSharing { endSharing() }
  }

  /// Takes the content of a tape without an account, which gets the memory of this one, without
  /// content.
  @inline(__always)
  func exchange(with other: JSONTape) {
    reset()
    if capacity != other.capacity {
      account?.hold((other.capacity &- capacity) &* MemoryLayout<JSONToken>.stride)
    }
    (tokens, other.tokens) = (other.tokens, tokens)
    (capacity, other.capacity) = (other.capacity, capacity)
    (arena, other.arena) = (other.arena, arena)
    (count, source, sourceEnd) = (other.count, other.source, other.sourceEnd)
  }

  /// The tape's values as json_t for callbacks.
  var shared: SharedJSON {
    isSharing = true
    if let sharedJSON { return sharedJSON }
    let made = SharedJSON(account)
    sharedJSON = made
    return made
  }

  @inline(never)
  private func endSharing() {
    sharedJSON?.reset()
    hasAliases = false
    isSharing = false
  }

  /// Appends an alias of the container at `index`.
  func append(aliasOf index: TokenIndex) throws {
    hasAliases = true
    isSharing = true
    try append(
      JSONToken(
        kind: .alias, size: UInt32(truncatingIfNeeded: count &+ 1), payload: UInt64(index.offset)))
  }

  /// Returns the index of the container for an alias at `index`; `index` for other values.
  @inline(__always)
  package func resolved(_ index: TokenIndex) -> TokenIndex {
    let token = tokens[index]
    return token.rawKind == JSONKind.alias.rawValue ? TokenIndex(Int(token.payload)) : index
  }

  /// The index of the next token.
  @inline(__always)
  package var next: TokenIndex { TokenIndex(count) }

  /// Appends one token and returns its index.
  ///
  /// Complexity: O(1) amortised.
  ///
  /// Throws `limitExceeded` if memory is refused or there are too many tokens.
  @inline(__always) @discardableResult
  package func append(_ token: JSONToken) throws -> TokenIndex {
    if count == capacity, !reserve(1) { throw noRoom }
    let index = next
    tokens[index] = token
    count &+= 1
    return index
  }

  /// Appends the token of a string or large number, copies its bytes to the scratch, and returns
  /// its index.
  @discardableResult
  package func append(
    copying bytes: UnsafeBufferPointer<UInt8>, as kind: JSONKind = .string
  ) throws -> TokenIndex {
    guard bytes.count <= Int(UInt32.max) else { throw Self.outOfRoom }
    guard let copy = arena.copy(bytes) else { throw noRoom }
    return try append(
      JSONToken(
        kind: kind, size: UInt32(truncatingIfNeeded: bytes.count),
        payload: UInt64(UInt(bitPattern: copy))))
  }

  /// Returns room for `count` bytes, valid until ``reset()``; nil without memory.
  package func scratch(_ count: Int) -> UnsafeMutablePointer<UInt8>? {
    guard let room = arena.reserve(max(count, 1)) else { return nil }
    arena.commit(max(count, 1))
    return room
  }

  /// Returns the source text of a real; nil if it is not in memory.
  @inline(__always)
  package func sourceText(of token: JSONToken) -> UnsafeBufferPointer<UInt8>? {
    let length = token.realTextLength
    guard let source, length > 0 else { return nil }
    return UnsafeBufferPointer(start: source + Int(token.size), count: length)
  }

  /// Returns the source text of a real if it has digits that the double has lost.
  @inline(__always)
  package func exactText(of token: JSONToken) -> UnsafeBufferPointer<UInt8>? {
    guard let text = sourceText(of: token), NumberText.saysMore(text, than: token.real)
    else { return nil }
    return text
  }

  /// Returns the source text of a real if its double does not determine the number.
  func neededText(of token: JSONToken) -> UnsafeBufferPointer<UInt8>? {
    guard let text = sourceText(of: token), NumberText.isNeeded(text, beside: token.real)
    else { return nil }
    return text
  }

  /// Makes room for `additional` tokens after `count`; returns false without memory.
  @inline(never)
  func reserve(_ additional: Int) -> Bool {
    let needed = count &+ additional
    if needed <= capacity { return true }
    guard needed <= maximumCount else { return false }
    let newCapacity = min(max(needed, capacity &* 2), maximumCount)
    guard let moved = Memory(account).resize(tokens, from: capacity, to: newCapacity) else {
      lacksTokens = true
      return false
    }
    tokens = moved
    capacity = newCapacity
    return true
  }

  /// Whether memory for tokens or strings was refused since ``reset()``.
  var lacksMemory: Bool { lacksTokens || arena.lacksMemory }

  /// The error of a full tape: memory was refused, or there are too many tokens.
  var noRoom: GrootError {
    guard lacksMemory else { return Self.outOfRoom }
    return account?.failure ?? MemoryAccount.outOfMemory
  }

  static let outOfRoom = GrootError(.limitExceeded, "the JSON value is too large")
}

// Copying values, from another tape too.

extension JSONTape {
  /// Appends a copy of a value, with the ends of its containers moved.
  ///
  /// Throws `limitExceeded` without changing the tape. Complexity: O(tokens).
  func appendCopy(of value: TokenIndex) throws {
    let end = end(of: value)
    let distance = count &- value.offset
    if capacity &- count < value.distance(to: end), !reserve(value.distance(to: end)) {
      throw noRoom
    }
    var target = count
    for position in value.offset..<end.offset {
      var token = tokens[position]
      if token.rawKind >= JSONKind.array.rawValue {
        // The size is in the upper half of the head.
        token.head &+= UInt64(truncatingIfNeeded: distance) &<< 32
      }
      tokens[target] = token
      target &+= 1
    }
    count = target
  }

  /// Appends the value at `index` of another tape, which may be reset afterwards, and returns its
  /// index on this tape.
  ///
  /// A real whose text has more digits than its double becomes a large number, because its source
  /// text belongs to the other tape. Throws `limitExceeded` without changing the tape. Complexity:
  /// O(tokens).
  @discardableResult
  package func append(_ index: TokenIndex, of other: JSONTape) throws -> TokenIndex {
    let first = next
    do {
      try copy(from: index, to: other.end(of: index), of: other)
    } catch {
      count = first.offset
      throw error
    }
    return first
  }

  /// Appends tokens, with the ends of containers moved to their new places.
  private func copy(from first: TokenIndex, to end: TokenIndex, of other: JSONTape) throws {
    let distance = count &- first.offset
    for position in first.offset..<end.offset {
      let token = other.tokens[TokenIndex(position)]
      switch token.kind {
      case .string, .largeNumber: try append(copying: token.bytes, as: token.kind)
      case .real: try append(real: token, of: other)
      case .array, .object: try append(token.moved(by: distance))
      case .null, .false, .true, .integer, .alias: try append(token)
      }
    }
  }

  private func append(real token: JSONToken, of other: JSONTape) throws {
    if let text = other.neededText(of: token) {
      try append(copying: text, as: .largeNumber)
    } else {
      try append(JSONToken(kind: .real, payload: token.payload))
    }
  }
}

// Finding values on a tape by key or position.

extension JSONTape {
  /// Returns the index of the token after the value at `index`.
  @inline(__always)
  package func end(of index: TokenIndex) -> TokenIndex {
    tokens[index].end(at: index)
  }

  /// Returns the index of the value under `key` in the object at `index`; of duplicate keys the
  /// last counts.
  ///
  /// Returns nil without this member, or if the value is not an object. Complexity: O(members).
  package func value(forKey key: UnsafeBufferPointer<UInt8>, inObject index: TokenIndex)
    -> TokenIndex?
  {
    let tokens = self.tokens
    guard tokens[index].rawKind == JSONKind.object.rawValue else { return nil }
    let end = tokens[index].end(at: index)
    let head = JSONToken(kind: .string, size: UInt32(clamping: key.count)).head
    var found = TokenIndex.none
    var member = index.next
    while member < end {
      let value = member.next
      if tokens[member].head == head, Self.equal(tokens[member].bytes, key) { found = value }
      member = tokens[value].end(at: value)
    }
    return found.isNone ? nil : found
  }

  /// Returns the index of the element at `position` of the array at `index`; nil without one.
  ///
  /// Complexity: O(position).
  package func element(at position: Int, inArray index: TokenIndex) -> TokenIndex? {
    let token = tokens[index]
    guard token.rawKind == JSONKind.array.rawValue, position >= 0, position < token.payload else {
      return nil
    }
    var element = index.next
    for _ in 0..<position { element = end(of: element) }
    return element
  }
}
