/// The choice of a record's entity by a value.
final class Discriminator: Sendable {
  let path: TapeSteps
  let unknown: DiscriminatorMapping.Unknown
  /// The values with their entities, for messages.
  let values: [(value: String, entity: EntityIndex)]
  /// The path as errors show it.
  let location: String
  let choice: EntityChoice

  init(_ mapping: DiscriminatorMapping) {
    path = TapeSteps(mapping.path)
    unknown = mapping.unknown
    values = mapping.values.map { ($0.key, $0.value) }
    location = mapping.path.location
    choice = EntityChoice(mapping)
  }

  deinit { choice.deallocate() }
}

/// The member of a record that chooses its entity, with the entity of each text.
///
/// Its parts are behind pointers, like those of a plan, because an import uses it for every record.
struct EntityChoice: @unchecked Sendable {
  private struct Entry {
    let text: UnsafeBufferPointer<UInt8>
    let entity: EntityIndex
  }

  /// The greatest number of texts that are compared one by one.
  private static let fewEntries = 8

  /// The entries, sorted by length and bytes.
  private let entries: UnsafeMutableBufferPointer<Entry>
  /// The key, if the value is a member of the record.
  private let key: UnsafeBufferPointer<UInt8>?

  init(_ mapping: DiscriminatorMapping) {
    let sorted = mapping.values.map { (text: Array($0.key.utf8), entity: $0.value) }
      .sortedFew {
        $0.text.count != $1.text.count
          ? $0.text.count < $1.text.count : $0.text.lexicographicallyPrecedes($1.text)
      }
    entries = .allocate(capacity: sorted.count)
    _ = entries.initialize(
      from: sorted.map { Entry(text: Self.copy($0.text), entity: $0.entity) })
    let isMember = mapping.path.origin == .object && mapping.path.segments.count == 1
    key = isMember ? mapping.path.firstKey.map { Self.copy(Array($0.text.utf8)) } : nil
  }

  func deallocate() {
    for entry in entries { entry.text.deallocate() }
    entries.deallocate()
    key?.deallocate()
  }

  private static func copy(_ text: [UInt8]) -> UnsafeBufferPointer<UInt8> {
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.count)
    _ = bytes.initialize(from: text)
    return UnsafeBufferPointer(bytes)
  }

  /// Returns the entity that the member of a record chooses; nil without one.
  @inline(__always)
  func entity(of record: TokenIndex, on tape: JSONTape) -> EntityIndex? {
    guard let key, let value = tape.value(forKey: key, inObject: record),
      tape.tokens[value].rawKind == JSONKind.string.rawValue
    else { return nil }
    return entity(tape.tokens[value].bytes)
  }

  /// Returns the entity that a text chooses.
  ///
  /// Complexity: O(log entities).
  @inline(__always)
  func entity(_ text: UnsafeBufferPointer<UInt8>) -> EntityIndex? {
    if entries.count > Self.fewEntries { return entityOfMany(text) }
    for entry in entries where JSONTape.equal(entry.text, text) { return entry.entity }
    return nil
  }

  @inline(never)
  private func entityOfMany(_ text: UnsafeBufferPointer<UInt8>) -> EntityIndex? {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      var order = entries[middle].text.count - text.count
      if order == 0 { order = JSONTape.order(entries[middle].text, text) }
      if order == 0 { return entries[middle].entity }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return nil
  }
}
