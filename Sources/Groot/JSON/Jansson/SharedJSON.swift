import CJansson

/// The containers on a tape as json_t, each made once.
///
/// One call of a callback receives an object with all nested objects, and later calls receive the
/// nested objects. These calls share the same json_t, so their total number is bounded by the
/// number of values. If the result of a callback contains one of them, the tape gets an alias of
/// its container. Not thread-safe; it belongs to its tape.
package final class SharedJSON {
  /// The record of a container on the tape; all 0 for tokens without a json_t.
  private struct Entry {
    var json: UnsafeMutablePointer<json_t>?
    /// The number of its values, including those that aliases refer to.
    var size: UInt32 = 0
    /// The number of its levels of nesting.
    var height: UInt32 = 0
  }

  private var entries: UnsafeMutablePointer<Entry>
  private var capacity = 64
  private let account: MemoryAccount?
  /// The number of tokens with an entry.
  private var count = 0
  /// The tokens with a json_t; each holds a reference to it.
  private var made: [Int32] = []
  /// The token of each json_t, and the number of `made` that are in it.
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

  /// Releases all json_t.
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

  /// Returns the json_t of a container; nil without one.
  func json(_ token: TokenIndex) -> UnsafeMutablePointer<json_t>? {
    token.offset < count ? entries[token].json : nil
  }

  /// Returns the numbers of values and of levels of a container that has a json_t.
  func extent(_ token: TokenIndex) -> (size: Int, height: Int) {
    token.offset < count ? (Int(entries[token].size), Int(entries[token].height)) : (1, 1)
  }

  /// Keeps the json_t of a container, with the size of the container.
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

  /// Returns the container of a json_t; nil for a json_t that was not made here.
  func token(of json: UnsafeMutablePointer<json_t>) -> TokenIndex? {
    // A json_t from here has one reference here and at least one other.
    guard groot_json_references(json) > 1 else { return nil }
    while indexedCount < made.count {
      let token = made[indexedCount]
      if let json = entries[Int(token)].json { tokenOf[json] = token }
      indexedCount += 1
    }
    return tokenOf[json].map { TokenIndex(rawValue: $0) }
  }
}
