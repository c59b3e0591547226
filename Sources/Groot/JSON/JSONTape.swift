/// One JSON value, flat in memory: the engine reads it instead of a tree.
///
/// A tape holds tokens in the order of the text: an array's token, then its elements; an object's
/// token, then key and value of each member. Further values may be appended after the first (the
/// results of callbacks). A tape is reused: ``reset()`` empties it and keeps its memory.
///
/// Strings point into the source text or into the tape's scratch; both must outlive the reading.
/// Not thread-safe; a tape belongs to one reader at a time.
package final class JSONTape {
  /// The tokens; `count` of them are set.
  ///
  /// Moves when the tape grows.
  @exclusivity(unchecked) package private(set) var tokens: UnsafeMutablePointer<JSONToken>
  /// The number of tokens on the tape.
  ///
  /// Code that writes through ``tokens`` sets it.
  @exclusivity(unchecked) package var count = 0
  /// The number of tokens there is room for.
  @exclusivity(unchecked) private(set) var capacity: Int
  /// Holds the bytes of strings that are in no source text.
  let arena: JSONScratch
  /// Where the element of which reals note their source text begins; nil when it is not in memory.
  @exclusivity(unchecked) var source: UnsafePointer<UInt8>?
  /// 10^0 to 10^22, each exact as a Double; here because a global array costs a check per use.
  let powersOfTen: UnsafePointer<Double>

  /// Writes values of the tape as text; kept for its buffer.
  lazy var writer = JSONWriter(capacity: 256, account: account)
  /// Counts its memory; nil when nobody does.
  let account: MemoryAccount?
  /// Whether memory for tokens was refused since ``reset()``.
  @exclusivity(unchecked) private var lacksTokens = false

  /// The memory of functions that are called with the tape, from one call to the next.
  package var callbackCache: AnyObject?
  /// Tells them what they are called for.
  package weak var describer: (any CallDescriber)?

  /// How many tokens there may be before memory for more is refused, until ``reset()``.
  package var maximumCount = JSONTape.maxCount
  /// How many there may be after ``reset()``.
  package var ceiling = JSONTape.maxCount

  /// Whether aliases may be on the tape.
  @exclusivity(unchecked) package private(set) var hasAliases = false
  /// The values of the tape that callbacks are handed; nil while none was.
  @exclusivity(unchecked) private var sharedJSON: SharedJSON?
  /// Whether ``reset()`` has more to do than to forget the tokens.
  private var isSharing = false

  /// An index is kept in 31 bits: importers keep a sign with it.
  static let maxCount = Int(Int32.max) - 1
  private static let powerCount = 23
  private static let initialCapacity = 256

  /// Makes an empty tape.
  package init(_ account: MemoryAccount? = nil) {
    self.account = account
    arena = JSONScratch(account)
    tokens = Memory(account).allocateFew(JSONToken.self, count: Self.initialCapacity)
    capacity = Self.initialCapacity
    let powers = UnsafeMutablePointer<Double>.allocate(capacity: Self.powerCount)
    var power = 1.0
    for exponent in 0..<Self.powerCount {
      powers[exponent] = power
      power *= 10
    }
    powersOfTen = UnsafePointer(powers)
  }

  deinit {
    Memory(account).release(tokens, count: capacity)
    powersOfTen.deallocate()
  }

  /// Empties the tape and keeps its memory.
  ///
  /// Complexity: O(1).
  @inline(__always)
  package func reset() {
    count = 0
    arena.reset()
    source = nil
    maximumCount = ceiling
    lacksTokens = false
    if isSharing { endSharing() }
  }

  /// The values of the tape that callbacks are handed.
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

  /// Appends what stands for the container at `index`.
  func append(aliasOf index: TokenIndex) throws {
    hasAliases = true
    isSharing = true
    try append(
      JSONToken(
        kind: .alias, size: UInt32(truncatingIfNeeded: count &+ 1), payload: UInt64(index.offset)))
  }

  /// The index of the value itself when an alias is at `index`.
  @inline(__always)
  package func resolved(_ index: TokenIndex) -> TokenIndex {
    let token = tokens[index]
    return token.rawKind == JSONKind.alias.rawValue ? TokenIndex(Int(token.payload)) : index
  }

  /// Where the next token goes.
  @inline(__always)
  package var next: TokenIndex { TokenIndex(count) }

  /// Appends one token and answers its index.
  ///
  /// Complexity: O(1) amortised.
  ///
  /// Throws `limitExceeded` when memory or the bits of an index do not suffice.
  @inline(__always) @discardableResult
  package func append(_ token: JSONToken) throws -> TokenIndex {
    if count == capacity, !reserve(1) { throw noRoom }
    let index = next
    tokens[index] = token
    count &+= 1
    return index
  }

  /// Appends the token of a string or large number, its bytes copied to the scratch, and answers
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

  /// Room for `count` bytes that stay where they are until ``reset()``; nil without memory for it.
  package func scratch(_ count: Int) -> UnsafeMutablePointer<UInt8>? {
    guard let room = arena.reserve(max(count, 1)) else { return nil }
    arena.commit(max(count, 1))
    return room
  }

  /// The text a real was read from; nil when it is not in memory.
  @inline(__always)
  package func sourceText(of token: JSONToken) -> UnsafeBufferPointer<UInt8>? {
    let length = token.realTextLength
    guard let source, length > 0 else { return nil }
    return UnsafeBufferPointer(start: source + Int(token.size), count: length)
  }

  /// The text a real was read from, where it has digits that the double has lost.
  @inline(__always)
  package func exactText(of token: JSONToken) -> UnsafeBufferPointer<UInt8>? {
    guard let text = sourceText(of: token), NumberText.saysMore(text, than: token.real)
    else { return nil }
    return text
  }

  /// The text a real was read from, where its double is not enough to know the number by.
  func neededText(of token: JSONToken) -> UnsafeBufferPointer<UInt8>? {
    guard let text = sourceText(of: token), NumberText.isNeeded(text, beside: token.real)
    else { return nil }
    return text
  }

  /// Makes room for `additional` tokens after `count`; false when there is no memory.
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

  /// The error for what the tape has no room for: memory was refused, or there are too many tokens.
  var noRoom: GrootError {
    guard lacksMemory else { return Self.outOfRoom }
    return account?.failure ?? MemoryAccount.outOfMemory
  }

  static let outOfRoom = GrootError(.limitExceeded, "the JSON value is too large")
}
