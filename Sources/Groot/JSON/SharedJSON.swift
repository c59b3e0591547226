import CJansson

/// The containers on a tape as json_t, each made once.
///
/// A callback is handed an object with all that is inside it, and then, in other calls, the
/// objects inside. They are the same json_t, so all calls together make no more of them than there
/// are values. And where a callback's result holds one of them, the tape gets an alias of what it
/// was made of. Not thread-safe; it belongs to its tape.
package final class SharedJSON {
  /// The findings about a container on the tape; all 0 for others.
  private struct Entry {
    var json: UnsafeMutablePointer<json_t>?
    /// How many values it holds, those that aliases refer to included.
    var size: UInt32 = 0
    /// How many levels it nests.
    var height: UInt32 = 0
  }

  private var entries: UnsafeMutablePointer<Entry>
  private var capacity = 64
  private let account: MemoryAccount?
  /// How many tokens have an entry.
  private var count = 0
  /// The tokens that a json_t was made of, each of which it has a reference to.
  private var made: [Int32] = []
  /// Where each json_t came from, and how many of `made` are in it.
  private var tokenOf: [UnsafeMutablePointer<json_t>: Int32] = [:]
  private var indexedCount = 0

  init(_ account: MemoryAccount?) {
    self.account = account
    entries = Memory(account).allocateFew(Entry.self, count: capacity)
  }

  deinit {
    reset()
    Memory(account).release(entries, count: capacity)
  }

  /// Gives up all json_t.
  func reset() {
    for token in made { if let json = entries[Int(token)].json { groot_json_release(json) } }
    made.removeAll(keepingCapacity: true)
    tokenOf.removeAll(keepingCapacity: true)
    indexedCount = 0
    count = 0
  }

  private func reserve(_ wanted: Int) throws {
    if wanted > capacity {
      let larger = max(wanted, capacity * 2)
      guard let moved = Memory(account).resize(entries, from: capacity, to: larger) else {
        throw Memory(account).failure
      }
      entries = moved
      capacity = larger
    }
    if wanted > count { (entries + count).initialize(repeating: Entry(), count: wanted - count) }
    count = max(count, wanted)
  }

  /// Whether a json_t was made of a container.
  func json(_ token: TokenIndex) -> UnsafeMutablePointer<json_t>? {
    token.offset < count ? entries[token].json : nil
  }

  /// How many values a container holds and how many levels it nests, once a json_t was made of it.
  func extent(_ token: TokenIndex) -> (size: Int, height: Int) {
    token.offset < count ? (Int(entries[token].size), Int(entries[token].height)) : (1, 1)
  }

  /// Keeps the json_t that was made of a container, and how much that holds.
  func keep(
    _ json: UnsafeMutablePointer<json_t>, token: TokenIndex, on tape: JSONTape, size: Int,
    height: Int
  ) throws {
    try reserve(tape.count)
    entries[token] = Entry(
      json: groot_json_retain(json), size: UInt32(clamping: size),
      height: UInt32(clamping: height))
    made.append(token.rawValue)
  }

  /// The container that a json_t was made of; nil when it is another's.
  func token(of json: UnsafeMutablePointer<json_t>) -> TokenIndex? {
    // Each of these has a reference here and another where it is held.
    guard groot_json_references(json) > 1 else { return nil }
    while indexedCount < made.count {
      let token = made[indexedCount]
      if let json = entries[Int(token)].json { tokenOf[json] = token }
      indexedCount += 1
    }
    return tokenOf[json].map { TokenIndex(rawValue: $0) }
  }
}
