/// What chooses the entities of records: a value, and the entities that values stand for.
///
/// The entries are behind pointers, as a plan's are: an import asks for each record.
final class Discriminator: @unchecked Sendable {
  private struct Entry {
    let offset: Int32
    let count: Int32
    let entity: EntityIndex
  }

  let path: TapePath
  let unknown: DiscriminatorMapping.Unknown
  /// The values that stand for entities, for messages.
  let values: [(value: String, entity: EntityIndex)]
  /// The path as errors show it.
  let location: String
  /// Sorted by length and bytes.
  private let entries: UnsafeMutablePointer<Entry>
  private let entryCount: Int
  private let bytes: UnsafeMutablePointer<UInt8>
  /// The key, when the value is a member of the record.
  private let key: UnsafeMutableBufferPointer<UInt8>?

  init(_ mapping: DiscriminatorMapping) {
    path = TapePath(mapping.path)
    unknown = mapping.unknown
    values = mapping.values.map { ($0.key, $0.value) }
    location = mapping.path.location
    let sorted = mapping.values.map { (value: Array($0.key.utf8), entity: $0.value) }
      .sorted {
        $0.value.count != $1.value.count
          ? $0.value.count < $1.value.count : $0.value.lexicographicallyPrecedes($1.value)
      }
    entryCount = sorted.count
    entries = .allocate(capacity: max(sorted.count, 1))
    bytes = .allocate(capacity: max(sorted.map(\.value.count).reduce(0, +), 1))
    var offset = 0
    for (position, (value, entity)) in sorted.enumerated() {
      (entries + position).initialize(
        to: Entry(
          offset: Int32(clamping: offset), count: Int32(clamping: value.count), entity: entity))
      (bytes + offset).initialize(from: value, count: value.count)
      offset += value.count
    }
    let isMember = mapping.path.origin == .object && mapping.path.segments.count == 1
    key = isMember ? mapping.path.firstKey.map { Self.copy($0.text) } : nil
  }

  deinit {
    entries.deallocate()
    bytes.deallocate()
    key?.deallocate()
  }

  private static func copy(_ text: String) -> UnsafeMutableBufferPointer<UInt8> {
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
    _ = bytes.initialize(from: text.utf8)
    return bytes
  }

  /// The value in a record, when it is a member of it; nil when it is elsewhere, or not there.
  @inline(__always)
  func member(of record: TokenIndex, on tape: JSONTape) -> TokenIndex? {
    key.flatMap { tape.value(forKey: UnsafeBufferPointer($0), inObject: record) }
  }

  /// The entity that a text stands for.
  ///
  /// Complexity: O(log entities).
  @inline(__always)
  func entity(_ text: UnsafeBufferPointer<UInt8>) -> EntityIndex? {
    var (low, high) = (0, entryCount)
    while low < high {
      let middle = (low + high) / 2
      let entry = entries[middle]
      var order = Int(entry.count) - text.count
      if order == 0, let start = text.baseAddress {
        order = CLibrary.compare(bytes + Int(entry.offset), start, count: text.count)
      }
      if order == 0 { return entry.entity }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return nil
  }
}
