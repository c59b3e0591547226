// Finding repetitions: the bytes that were kept last, and how often a look finds one.

/// The runs of bytes that were kept last, in a ring of 256 KiB.
///
/// It is flat, and copies are the same ring.
struct RecentBytes {
  private static let capacity = 1 << 18
  /// The length of the longest run that is kept.
  static let maximumCount = 4_096

  private let start: UnsafeMutablePointer<UInt8>
  private let memory: Memory
  /// The number of bytes that were kept so far, and those before which nothing is known.
  private var written = 0
  private var forgotten = 0

  /// Takes the memory; returns nil without it.
  init?(_ memory: Memory) {
    guard let start = memory.allocateIfPossible(UInt8.self, count: Self.capacity) else {
      return nil
    }
    self.start = start
    self.memory = memory
  }

  func deallocate() { memory.release(start, count: Self.capacity) }

  /// Forgets all runs.
  mutating func removeAll() { forgotten = written }

  /// Takes the place of a run of at most ``maximumCount`` bytes; the oldest runs make way.
  @inline(__always)
  mutating func append(_ count: Int) -> (position: Int, room: UnsafeMutablePointer<UInt8>) {
    var place = written & (Self.capacity &- 1)
    if place &+ count > Self.capacity {
      written &+= Self.capacity &- place
      place = 0
    }
    defer { written &+= count }
    return (written, start + place)
  }

  /// Returns the run at a position; nil if it is forgotten or overwritten.
  @inline(__always)
  func run(at position: Int) -> UnsafePointer<UInt8>? {
    isKept(position) ? UnsafePointer(start + position & (Self.capacity &- 1)) : nil
  }

  /// Returns whether the run at a position is still there.
  @inline(__always)
  func isKept(_ position: Int) -> Bool {
    position >= max(forgotten, written &- Self.capacity)
  }
}

/// Counts how often a look for a repetition finds one, and tells whether it is worth to look on.
struct RepeatRate {
  /// The number of looks after which memory is worth taking, and after which hits are judged.
  private static let firstCount = 64
  private static let windowCount = 4_096

  /// Whether it is worth looking.
  var isWorthwhile: Bool
  private var tries = 0
  /// The number of repetitions, and that number when it was last judged.
  private(set) var hits = 0
  private var judgedHits = 0

  init(isWorthwhile: Bool = true) { self.isWorthwhile = isWorthwhile }

  /// Whether there were so many looks that memory is worth taking.
  var takesMemory: Bool { tries >= Self.firstCount }

  /// Counts a look.
  @inline(__always)
  mutating func noteTry() {
    tries &+= 1
    if tries & (Self.windowCount &- 1) == 0 { review() }
  }

  /// Counts a look that found a repetition.
  @inline(__always)
  mutating func noteHit() { hits &+= 1 }

  /// Stops looking where fewer than one in eight is a repetition.
  @inline(never)
  private mutating func review() {
    if hits - judgedHits < Self.windowCount / 8 { isWorthwhile = false }
    judgedHits = hits
  }
}
