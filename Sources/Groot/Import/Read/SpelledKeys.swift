/// The properties of unmapped keys, which are looked up once by their spelling.
struct SpelledKeys {
  private struct Entry {
    let plan: PlanIndex
    let key: [UInt8]
    let position: Int?
  }

  private let hash = Hash.ofProcess
  private var entries: [Entry] = []
  /// The entry of each hash; a key whose hash another key has is looked up each time.
  private var entryOf: [UInt64: Int] = [:]
  /// The number of keys to remember, since a document may have any number.
  private static let maximumCount = 4_096

  /// Returns the position of the property that a key spells; nil without one.
  mutating func position(
    of key: UnsafeBufferPointer<UInt8>, in plan: PlanIndex, _ spelling: KeySpelling
  ) -> Int? {
    guard let start = key.baseAddress, key.count > 0 else { return nil }
    let hash = self.hash.bytes(
      start, count: key.count, from: UInt64(UInt32(bitPattern: plan.rawValue)))
    if let index = entryOf[hash] {
      let entry = entries[index]
      if entry.plan == plan && entry.key.elementsEqual(key) { return entry.position }
    }
    let position = spelling(String(decoding: key, as: UTF8.self))
    if entryOf[hash] == nil && entries.count < Self.maximumCount {
      entryOf[hash] = entries.count
      entries.append(Entry(plan: plan, key: Array(key), position: position))
    }
    return position
  }
}
