/// The objects of the records inside other records that an import has read, by the records' texts.
///
/// Feeds write out the same author, tag or category with each of their records. A record with the
/// text of an earlier one has its object, which has all its values already, so it need not be read
/// again. Texts are compared byte by byte. A change of an existing object forgets them.
final class RepeatedRecords {
  /// The content of a record: its text, and a last value that is not text.
  struct Content {
    /// The text from the first key to the last string.
    let start: UnsafePointer<UInt8>
    let count: Int
    /// The kind of the value after the last string, and its payload; zeros without one.
    let kind: UInt8
    let payload: UInt64

    /// The greatest number of bytes of a text that is kept.
    static let maximumCount = 1_024
  }

  private struct Entry {
    static let empty = Entry(hash: 0, position: -1, plan: .none, row: .none, form: 0)

    let hash: UInt64
    /// The number of bytes that were kept before the text.
    let position: Int
    let plan: PlanIndex
    let row: OptionalRow
    /// The length of the text, and the kind.
    let form: UInt32
  }

  /// The number of entries, of which two are for each hash, and the number of bytes that are kept,
  /// the last ones.
  private static let entryCount = 8_192
  private static let byteCount = 1 << 18
  /// The number of records after which memory is taken, and after which hits are counted anew.
  private static let firstCount = 64
  private static let windowCount = 4_096

  /// Whether it is worth looking.
  @exclusivity(unchecked) private(set) var isOn: Bool
  private let hashing = Hash.ofProcess
  private let memory: Memory
  @exclusivity(unchecked) private var entries: UnsafeMutablePointer<Entry>?
  @exclusivity(unchecked) private var bytes: UnsafeMutablePointer<UInt8>?
  /// The number of bytes that were kept so far, and those before which nothing is known.
  @exclusivity(unchecked) private var written = 0
  @exclusivity(unchecked) private var forgotten = 0
  /// A bit for each table whose objects have texts; distant tables share one.
  @exclusivity(unchecked) private var tables: UInt64 = 0
  @exclusivity(unchecked) private var tries = 0
  /// The number of records that were found, and that number when it was last judged.
  @exclusivity(unchecked) private(set) var hits = 0
  @exclusivity(unchecked) private var judgedHits = 0

  init(_ account: MemoryAccount, isOn: Bool) {
    memory = Memory(account)
    self.isOn = isOn
  }

  deinit {
    guard let entries, let bytes else { return }
    memory.release(entries, count: Self.entryCount)
    memory.release(bytes, count: Self.byteCount)
  }

  /// Forgets all texts.
  func removeAll() {
    forgotten = written
    tables = 0
  }

  /// Forgets the texts of a table's objects, of which one was changed.
  ///
  /// Tables without any, such as those of records around others, change all the time.
  @inline(__always)
  func noteChange(in table: TableIndex) {
    if tables & Self.bit(table) != 0 { removeAll() }
  }

  @inline(__always)
  private static func bit(_ table: TableIndex) -> UInt64 { 1 &<< UInt64(table.offset & 63) }

  /// Returns the object of an earlier record with the same content.
  @inline(__always)
  func find(_ content: Content, of plan: PlanIndex) -> Row? {
    tries &+= 1
    if tries & (Self.windowCount &- 1) == 0 { review() }
    guard let entries, let bytes else { return nil }
    let hash = hash(content)
    var entry = entries + Self.slot(hash)
    if entry.pointee.hash != hash { entry += 1 }
    guard entry.pointee.hash == hash, isKept(entry), entry.pointee.plan == plan,
      entry.pointee.form == Self.form(content)
    else { return nil }
    let kept = bytes + entry.pointee.position & (Self.byteCount &- 1)
    guard ByteComparison.areEqual(kept, content.start, count: content.count),
      UnsafeRawPointer(kept + content.count).loadUnaligned(as: UInt64.self) == content.payload
    else { return nil }
    hits &+= 1
    return entry.pointee.row.index
  }

  /// Returns whether the text of an entry is neither forgotten nor overwritten.
  @inline(__always)
  private func isKept(_ entry: UnsafePointer<Entry>) -> Bool {
    entry.pointee.position >= max(forgotten, written &- Self.byteCount)
  }

  /// Keeps the content of a record whose object has all its values.
  @inline(never)
  func note(_ content: Content, of plan: PlanIndex, row: Row, in table: TableIndex) {
    if entries == nil, tries >= Self.firstCount { allocate() }
    guard let entries, let bytes else { return }
    let size = content.count &+ MemoryLayout<UInt64>.size
    var place = written & (Self.byteCount &- 1)
    if place &+ size > Self.byteCount {
      written &+= Self.byteCount &- place
      place = 0
    }
    (bytes + place).update(from: content.start, count: content.count)
    UnsafeMutableRawPointer(bytes + place + content.count).storeBytes(
      of: content.payload, as: UInt64.self)
    let hash = hash(content)
    var entry = entries + Self.slot(hash)
    if isKept(entry), entry.pointee.hash != hash { entry += 1 }
    entry.pointee = Entry(
      hash: hash, position: written, plan: plan, row: OptionalRow(row), form: Self.form(content))
    written &+= size
    tables |= Self.bit(table)
  }

  /// Takes the memory; without it, nothing is kept.
  private func allocate() {
    guard let bytes = memory.allocateIfPossible(UInt8.self, count: Self.byteCount) else {
      return isOn = false
    }
    guard let entries = memory.allocateIfPossible(Entry.self, count: Self.entryCount) else {
      memory.release(bytes, count: Self.byteCount)
      return isOn = false
    }
    entries.initialize(repeating: .empty, count: Self.entryCount)
    (self.bytes, self.entries) = (bytes, entries)
  }

  /// Stops looking where fewer than one in eight records is a repetition.
  @inline(never)
  private func review() {
    if hits - judgedHits < Self.windowCount / 8 { isOn = false }
    judgedHits = hits
  }

  @inline(__always)
  private func hash(_ content: Content) -> UInt64 {
    hashing.bytes(
      content.start, count: content.count, from: content.payload ^ UInt64(content.kind))
  }

  @inline(__always)
  private static func slot(_ hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash & UInt64(entryCount &- 2))
  }

  @inline(__always)
  private static func form(_ content: Content) -> UInt32 {
    UInt32(truncatingIfNeeded: content.count) | UInt32(content.kind) &<< 16
  }
}
