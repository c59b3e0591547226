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

  /// The number of entries, of which two are for each hash.
  private static let entryCount = 8_192

  private let hashing = Hash.ofProcess
  private let memory: Memory
  @exclusivity(unchecked) private var entries: UnsafeMutablePointer<Entry>?
  @exclusivity(unchecked) private var kept: RecentBytes?
  /// A bit for each table whose objects have texts; distant tables share one.
  @exclusivity(unchecked) private var tables: UInt64 = 0
  @exclusivity(unchecked) private(set) var rate: RepeatRate

  init(_ account: MemoryAccount, isOn: Bool) {
    memory = Memory(account)
    rate = RepeatRate(isWorthwhile: isOn)
  }

  deinit {
    memory.release(entries, count: entries == nil ? 0 : Self.entryCount)
    kept?.deallocate()
  }

  /// Whether it is worth looking.
  @inline(__always)
  var isOn: Bool { rate.isWorthwhile }

  /// Forgets all texts.
  func removeAll() {
    kept?.removeAll()
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
    rate.noteTry()
    guard let entries else { return nil }
    let hash = hash(content)
    var entry = entries + Self.slot(hash)
    if entry.pointee.hash != hash { entry += 1 }
    guard entry.pointee.hash == hash, entry.pointee.plan == plan,
      entry.pointee.form == Self.form(content),
      let text = kept?.run(at: entry.pointee.position),
      ByteComparison.areEqual(text, content.start, count: content.count),
      UnsafeRawPointer(text + content.count).loadUnaligned(as: UInt64.self) == content.payload
    else { return nil }
    rate.noteHit()
    return entry.pointee.row.index
  }

  /// Keeps the content of a record whose object has all its values.
  @inline(never)
  func note(_ content: Content, of plan: PlanIndex, row: Row, in table: TableIndex) {
    if entries == nil, rate.takesMemory { allocate() }
    guard let entries,
      let (position, room) = kept?.append(content.count &+ MemoryLayout<UInt64>.size)
    else { return }
    room.update(from: content.start, count: content.count)
    UnsafeMutableRawPointer(room + content.count).storeBytes(
      of: content.payload, as: UInt64.self)
    let hash = hash(content)
    var entry = entries + Self.slot(hash)
    if kept?.isKept(entry.pointee.position) == true, entry.pointee.hash != hash { entry += 1 }
    entry.pointee = Entry(
      hash: hash, position: position, plan: plan, row: OptionalRow(row), form: Self.form(content))
    tables |= Self.bit(table)
  }

  /// Takes the memory; without it, nothing is kept.
  private func allocate() {
    kept = RecentBytes(memory)
    if kept != nil { entries = memory.allocateIfPossible(Entry.self, count: Self.entryCount) }
    entries?.initialize(repeating: .empty, count: Self.entryCount)
    if entries == nil { rate.isWorthwhile = false }
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
