/// The texts that an output may have again, by numbers of their writer's choice.
///
/// Many objects have the same author, tag or category. Its text is made once and kept, so that it
/// can be written again when the output has gone on.
final class RepeatedTexts {
  private struct Entry: BitwiseCopyable {
    static let empty = Entry(key: .max, position: -1, count: 0)

    let key: UInt64
    /// The position in the kept bytes, and the number of bytes with the comma.
    let position: Int
    let count: Int
  }

  private static let entryCount = 8_192

  private let writer: JSONWriter
  private let memory: Memory
  @exclusivity(unchecked) private var entries: UnsafeMutablePointer<Entry>?
  @exclusivity(unchecked) private var kept: RecentBytes?
  @exclusivity(unchecked) private(set) var rate = RepeatRate()

  init(_ writer: JSONWriter, _ account: MemoryAccount) {
    self.writer = writer
    memory = Memory(account)
  }

  deinit {
    memory.release(entries, count: entries == nil ? 0 : Self.entryCount)
    kept?.deallocate()
  }

  /// Forgets all texts: numbers may get other texts.
  func removeAll() { kept?.removeAll() }

  /// Writes the text of a number with its comma; returns false if it is not known.
  @inline(__always)
  func write(_ key: UInt64) -> Bool {
    guard rate.isWorthwhile else { return false }
    rate.noteTry()
    guard let entries else { return begin() }
    let entry = entries[Self.slot(key)]
    guard entry.key == key, let text = kept?.run(at: entry.position),
      let target = writer.reserve(entry.count)
    else { return false }
    CLibrary.copy(entry.count, from: text, to: target)
    rate.noteHit()
    return true
  }

  /// Keeps the text of a number, which is the last of the output from a position on, with its comma.
  @inline(__always)
  func note(_ key: UInt64, from position: Int) {
    guard let entries, rate.isWorthwhile else { return }
    let text = writer.bytes(from: position)
    guard let start = text.baseAddress, text.count <= RecentBytes.maximumCount,
      let (place, room) = kept?.append(text.count)
    else { return }
    CLibrary.copy(text.count, from: start, to: room)
    entries[Self.slot(key)] = Entry(key: key, position: place, count: text.count)
  }

  @inline(never)
  private func begin() -> Bool {
    guard rate.takesMemory else { return false }
    kept = RecentBytes(memory)
    if kept != nil { entries = memory.allocateIfPossible(Entry.self, count: Self.entryCount) }
    entries?.initialize(repeating: .empty, count: Self.entryCount)
    if entries == nil { rate.isWorthwhile = false }
    return false
  }

  /// The lowest bits are mostly numbers that follow each other, which they spread best.
  @inline(__always)
  private static func slot(_ key: UInt64) -> Int {
    Int(truncatingIfNeeded: key &+ (key &>> 32) &* 0x9E37_79B9) & (entryCount &- 1)
  }
}
