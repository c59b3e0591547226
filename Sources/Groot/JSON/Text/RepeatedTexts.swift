/// The texts in an output that may be written again, by numbers of their writer's choice.
///
/// Many objects have the same author, tag or category. Its text is made once, and copied from the
/// output where that is still in memory.
final class RepeatedTexts {
  private struct Entry: BitwiseCopyable {
    static let empty = Entry(key: .max, position: 0, count: 0)

    let key: UInt64
    /// The number of bytes before the text in the whole output, and the text's without its comma.
    let position: Int
    let count: Int
  }

  private static let entryCount = 8_192
  /// The number of texts after which memory is taken, and after which hits are counted anew.
  private static let firstCount = 256
  private static let windowCount = 8_192

  private let writer: JSONWriter
  private let memory: Memory
  @exclusivity(unchecked) private var entries: UnsafeMutablePointer<Entry>?
  /// The number of bytes of the output before which no text is used, and at the last noted end.
  @exclusivity(unchecked) private var first = 0
  @exclusivity(unchecked) private var lastEnd = 0
  @exclusivity(unchecked) private var tries = 0
  /// The number of copied texts, and that number when it was last judged.
  @exclusivity(unchecked) private(set) var hits = 0
  @exclusivity(unchecked) private var judgedHits = 0
  /// Whether it is worth looking.
  @exclusivity(unchecked) private(set) var isOn = true

  init(_ writer: JSONWriter, _ account: MemoryAccount) {
    self.writer = writer
    memory = Memory(account)
  }

  deinit { memory.release(entries, count: entries == nil ? 0 : Self.entryCount) }

  /// Forgets all texts: numbers may get other texts.
  func removeAll() {
    first = writer.count
    lastEnd = first
    writer.leastTruncated = .max
  }

  /// Writes a copy of a number's text with its comma; returns false if it is not known.
  @inline(__always)
  func copy(_ key: UInt64) -> Bool {
    guard isOn else { return false }
    tries &+= 1
    if tries & (Self.windowCount &- 1) == 0 { review() }
    guard let entries else { return begin() }
    if writer.leastTruncated < lastEnd { removeAll() }
    let entry = entries[Self.slot(key)]
    guard entry.key == key, entry.position >= first, writer.repeats(entry.position, entry.count)
    else { return false }
    hits &+= 1
    return true
  }

  /// Notes the text of a number, which is the last of the output, with its comma.
  @inline(__always)
  func note(_ key: UInt64, from position: Int) {
    guard let entries, isOn else { return }
    // In the place of text that was removed there may be other text.
    if writer.leastTruncated < lastEnd { removeAll() }
    writer.leastTruncated = .max
    lastEnd = writer.flushedCount &+ writer.position
    entries[Self.slot(key)] = Entry(
      key: key, position: writer.flushedCount &+ position,
      count: writer.position &- position &- 1)
  }

  @inline(never)
  private func begin() -> Bool {
    guard tries > Self.firstCount else { return false }
    entries = memory.allocateIfPossible(Entry.self, count: Self.entryCount)
    entries?.initialize(repeating: .empty, count: Self.entryCount)
    isOn = entries != nil
    removeAll()
    return false
  }

  /// Stops looking where fewer than one in eight texts is a repetition.
  @inline(never)
  private func review() {
    if hits - judgedHits < Self.windowCount / 8 { isOn = false }
    judgedHits = hits
  }

  /// The lowest bits are mostly numbers that follow each other, which they spread best.
  @inline(__always)
  private static func slot(_ key: UInt64) -> Int {
    Int(truncatingIfNeeded: key &+ (key &>> 32) &* 0x9E37_79B9) & (entryCount &- 1)
  }
}

extension JSONWriter {
  /// Writes `count` bytes again that stand after `position` bytes of the whole output, and a comma;
  /// returns false if they are not in the buffer.
  @inline(__always)
  fileprivate func repeats(_ position: Int, _ count: Int) -> Bool {
    let offset = position &- flushedCount
    guard offset >= 0, offset &+ count <= self.position, let target = room(count &+ 1) else {
      return false
    }
    CLibrary.copy(count, from: start + offset, to: target)
    target[count] = Byte.comma
    cursor = target + count + 1
    return true
  }
}
