/// What chooses the entities of records: a value, and the entities that values stand for.
final class Discriminator: Sendable {
  private struct Entry: Sendable {
    let value: [UInt8]
    let entity: EntityIndex
  }

  let path: TapePath
  let unknown: DiscriminatorMapping.Unknown
  /// The values that stand for entities, for messages.
  let values: [String]
  /// Sorted by length and bytes.
  private let entries: [Entry]

  init(_ mapping: DiscriminatorMapping) {
    path = TapePath(mapping.path)
    unknown = mapping.unknown
    values = mapping.values.keys
    entries = mapping.values.map { Entry(value: Array($0.key.utf8), entity: $0.value) }
      .sorted {
        $0.value.count != $1.value.count
          ? $0.value.count < $1.value.count : $0.value.lexicographicallyPrecedes($1.value)
      }
  }

  /// The entity that a text stands for.
  ///
  /// Complexity: O(log entities).
  func entity(_ text: UnsafeBufferPointer<UInt8>) -> EntityIndex? {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      let order = entries[middle].value.withUnsafeBufferPointer { value in
        value.count != text.count ? value.count - text.count : JSONTape.order(value, text)
      }
      if order == 0 { return entries[middle].entity }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return nil
  }
}
