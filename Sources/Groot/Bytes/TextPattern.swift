/// A text that a predicate compares others with, prepared to be searched for.
///
/// All kinds are one: segments in order, with anything between them, and perhaps before the first
/// and behind the last. The leftmost place of each is the right one, so no way is tried twice.
package final class TextPattern {
  private struct Segment {
    var start: Int
    var count: Int
    /// Nil where a character may be any.
    var search: TextSearch?
  }

  /// How many bytes a segment may have that is searched for and in which a character may be any: at
  /// each place of the text it is compared anew.
  package static let maximumOpenLength = 256

  /// In lower case where case is ignored.
  private let bytes: UnsafeMutablePointer<UInt8>
  /// Which bytes stand for any character.
  private let isAny: UnsafeMutablePointer<Bool>
  private var segments: [Segment] = []
  private let ignoresCase: Bool
  private let beginsOpen: Bool
  private let endsOpen: Bool
  /// The greatest length of a segment that is searched for and has a character that may be any.
  package private(set) var openLength = 0

  package init(_ match: TextMatch, text: UnsafeBufferPointer<UInt8>, ignoresCase: Bool) {
    self.ignoresCase = ignoresCase
    bytes = .allocate(capacity: max(text.count, 1))
    isAny = .allocate(capacity: max(text.count, 1))
    isAny.initialize(repeating: false, count: max(text.count, 1))
    var count = 0
    var ends: [Int] = []
    var place = 0
    while place < text.count {
      var byte = text[place]
      place += 1
      if match == .like, byte == UInt8(ascii: "*") {
        ends.append(count)
        continue
      }
      if match == .like, byte == Byte.backslash, place < text.count {
        byte = text[place]
        place += 1
      } else if match == .like, byte == UInt8(ascii: "?") {
        isAny[count] = true
      }
      bytes[count] = ignoresCase ? TextMatch.fold(byte) : byte
      count += 1
    }
    beginsOpen = match == .contains || match == .endsWith || (match == .like && ends.first == 0)
    endsOpen = match == .contains || match == .beginsWith || (match == .like && ends.last == count)
    var start = 0
    for end in ends + [count] where end > start {
      addSegment(start, end: end)
      start = end
    }
    for (position, segment) in segments.enumerated() where segment.search == nil {
      let isFixed =
        (position == 0 && !beginsOpen) || (position == segments.count - 1 && !endsOpen)
      if !isFixed { openLength = max(openLength, segment.count) }
    }
  }

  deinit {
    bytes.deallocate()
    isAny.deallocate()
  }

  private func addSegment(_ start: Int, end: Int) {
    let isOpen = (start..<end).contains { isAny[$0] }
    let search = isOpen ? nil : TextSearch(bytes + start, count: end - start)
    segments.append(Segment(start: start, count: end - start, search: search))
  }

  /// Whether a text matches; by bytes, or with the letters A to Z and a to z alike.
  ///
  /// Linear in the text and the pattern, but for ``maximumOpenLength``.
  package func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = text.baseAddress else {
      return segments.isEmpty
    }
    return ignoresCase
      ? holds(start, count: text.count) { TextMatch.fold($0) }
      : holds(start, count: text.count) { $0 }
  }

  @inline(__always)
  private func holds(
    _ text: UnsafePointer<UInt8>, count: Int, read: (UInt8) -> UInt8
  ) -> Bool {
    guard !segments.isEmpty else { return beginsOpen || endsOpen || count == 0 }
    var (low, high) = (0, count)
    var (next, last) = (0, segments.count)
    if !beginsOpen {
      guard let end = end(of: segments[0], in: text, from: 0..<high, read: read) else {
        return false
      }
      if last == 1 { return endsOpen || end == count }
      (low, next) = (end, 1)
    }
    if !endsOpen {
      last &-= 1
      guard let start = start(of: segments[last], in: text, within: low..<high, read: read)
      else {
        return false
      }
      high = start
    }
    while next < last {
      guard let end = find(segments[next], in: text, within: low..<high, read: read) else {
        return false
      }
      low = end
      next &+= 1
    }
    return true
  }

  /// The place behind the first occurrence of a segment.
  @inline(__always)
  private func find(
    _ segment: Segment, in text: UnsafePointer<UInt8>, within range: Range<Int>,
    read: (UInt8) -> UInt8
  ) -> Int? {
    if let search = segment.search {
      return search.first(in: text, from: range.lowerBound, to: range.upperBound, read).map {
        $0 &+ segment.count
      }
    }
    var place = range.lowerBound
    while place < range.upperBound {
      if let end = end(of: segment, in: text, from: place..<range.upperBound, read: read) {
        return end
      }
      place = Self.behindCharacter(text, place: place, high: range.upperBound)
    }
    return nil
  }

  /// The place behind a segment that begins where a range does; nil when none does.
  @inline(__always)
  private func end(
    of segment: Segment, in text: UnsafePointer<UInt8>, from range: Range<Int>,
    read: (UInt8) -> UInt8
  ) -> Int? {
    var place = range.lowerBound
    for index in segment.start..<(segment.start &+ segment.count) {
      guard place < range.upperBound else { return nil }
      if isAny[index] {
        place = Self.behindCharacter(text, place: place, high: range.upperBound)
      } else if read(text[place]) == bytes[index] {
        place &+= 1
      } else {
        return nil
      }
    }
    return place
  }

  /// The place where a segment begins that ends where a range does; nil when none does.
  @inline(__always)
  private func start(
    of segment: Segment, in text: UnsafePointer<UInt8>, within range: Range<Int>,
    read: (UInt8) -> UInt8
  ) -> Int? {
    var place = range.upperBound
    for index in (segment.start..<(segment.start &+ segment.count)).reversed() {
      guard place > range.lowerBound else { return nil }
      place &-= 1
      if isAny[index] {
        while place > range.lowerBound, text[place] & 0xC0 == 0x80 { place &-= 1 }
      } else if read(text[place]) != bytes[index] {
        return nil
      }
    }
    return place
  }

  /// The place behind the character that begins at `place`.
  @inline(__always)
  private static func behindCharacter(
    _ text: UnsafePointer<UInt8>, place: Int, high: Int
  ) -> Int {
    var place = place &+ 1
    while place < high, text[place] & 0xC0 == 0x80 { place &+= 1 }
    return place
  }
}
