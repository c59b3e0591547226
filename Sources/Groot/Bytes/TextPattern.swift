/// The text of a predicate, prepared for searching.
///
/// All kinds of matching are segments in order, with any text between them, and possibly before the
/// first and after the last. The leftmost occurrence of each segment is the right one, so matching
/// never backtracks.
package final class TextPattern {
  private struct Segment {
    var start: Int
    var count: Int
    /// The search for the segment; nil if it has a wildcard.
    var search: TextSearch?
  }

  /// The greatest number of bytes of a searched segment with a wildcard, which is compared at each
  /// position in the text.
  package static let maximumOpenLength = 256

  /// The bytes of all segments, in lower case if case is ignored.
  private let bytes: UnsafeMutablePointer<UInt8>
  /// The bytes that match any character.
  private let isAny: UnsafeMutablePointer<Bool>
  private var segments: [Segment] = []
  private let ignoresCase: Bool
  private let beginsOpen: Bool
  private let endsOpen: Bool
  /// The greatest length of a searched segment with a wildcard.
  package private(set) var openLength = 0

  package init(_ match: TextMatch, text: UnsafeBufferPointer<UInt8>, ignoresCase: Bool) {
    self.ignoresCase = ignoresCase
    bytes = .allocate(capacity: max(text.count, 1))
    isAny = .allocate(capacity: max(text.count, 1))
    isAny.initialize(repeating: false, count: max(text.count, 1))
    var count = 0
    var ends: [Int] = []
    var position = 0
    while position < text.count {
      var byte = text[position]
      position += 1
      if match == .like, byte == UInt8(ascii: "*") {
        ends.append(count)
        continue
      }
      if match == .like, byte == Byte.backslash, position < text.count {
        byte = text[position]
        position += 1
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

  /// Returns whether a text matches, by bytes or with equal letters A to Z and a to z.
  ///
  /// The time is linear in the text and the pattern, except for segments up to
  /// ``maximumOpenLength``.
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

  /// Returns the position after the first occurrence of a segment.
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
    var position = range.lowerBound
    while position < range.upperBound {
      if let end = end(of: segment, in: text, from: position..<range.upperBound, read: read) {
        return end
      }
      position = Self.endOfCharacter(text, position: position, high: range.upperBound)
    }
    return nil
  }

  /// Returns the position after a segment at the beginning of a range; nil without one.
  @inline(__always)
  private func end(
    of segment: Segment, in text: UnsafePointer<UInt8>, from range: Range<Int>,
    read: (UInt8) -> UInt8
  ) -> Int? {
    var position = range.lowerBound
    for index in segment.start..<(segment.start &+ segment.count) {
      guard position < range.upperBound else { return nil }
      if isAny[index] {
        position = Self.endOfCharacter(text, position: position, high: range.upperBound)
      } else if read(text[position]) == bytes[index] {
        position &+= 1
      } else {
        return nil
      }
    }
    return position
  }

  /// Returns the position of a segment at the end of a range; nil without one.
  @inline(__always)
  private func start(
    of segment: Segment, in text: UnsafePointer<UInt8>, within range: Range<Int>,
    read: (UInt8) -> UInt8
  ) -> Int? {
    var position = range.upperBound
    for index in (segment.start..<(segment.start &+ segment.count)).reversed() {
      guard position > range.lowerBound else { return nil }
      position &-= 1
      if isAny[index] {
        while position > range.lowerBound, text[position] & 0xC0 == 0x80 { position &-= 1 }
      } else if read(text[position]) != bytes[index] {
        return nil
      }
    }
    return position
  }

  /// Returns the position after the character at `position`.
  @inline(__always)
  private static func endOfCharacter(
    _ text: UnsafePointer<UInt8>, position: Int, high: Int
  ) -> Int {
    var position = position &+ 1
    while position < high, text[position] & 0xC0 == 0x80 { position &+= 1 }
    return position
  }
}
