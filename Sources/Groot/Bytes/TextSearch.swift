/// Finds bytes in a text in linear time and without memory: the two-way algorithm of Crochemore and
/// Perrin.
///
/// The wanted bytes are cut at a critical position. The right part is compared first; after a
/// difference, the search moves on by as many bytes as were compared.
struct TextSearch {
  private let wanted: UnsafePointer<UInt8>
  private let count: Int
  /// The beginning of the right part.
  private let cut: Int
  private let period: Int
  /// Whether the wanted bytes repeat with the period; a known match is then not compared again.
  private let isPeriodic: Bool

  /// Prepares a search; `wanted` must outlive it, and has at least one byte.
  init(_ wanted: UnsafePointer<UInt8>, count: Int) {
    (self.wanted, self.count) = (wanted, count)
    let (one, other) = (
      Self.greatestSuffix(wanted, count: count, isReversed: false),
      Self.greatestSuffix(wanted, count: count, isReversed: true)
    )
    let (start, period) = one.start > other.start ? one : other
    cut = start
    let repeats = (0..<start).allSatisfy { wanted[$0] == wanted[$0 &+ period] }
    isPeriodic = repeats
    self.period = repeats ? period : max(start, count &- start) &+ 1
  }

  /// Returns the position of the first occurrence between two positions of a text; nil without one.
  @inline(__always)
  func first(
    in text: UnsafePointer<UInt8>, from low: Int, to high: Int, _ read: (UInt8) -> UInt8
  ) -> Int? {
    var position = low
    // The number of bytes that are known to match here.
    var known = 0
    while position <= high &- count {
      var index = max(cut, known)
      while index < count, wanted[index] == read(text[position &+ index]) { index &+= 1 }
      guard index == count else {
        position &+= index &- cut &+ 1
        known = 0
        continue
      }
      index = cut
      while index > known, wanted[index &- 1] == read(text[position &+ index &- 1]) { index &-= 1 }
      if index <= known { return position }
      position &+= period
      known = isPeriodic ? count &- period : 0
    }
    return nil
  }

  /// Returns the start and the period of the greatest suffix, in the order of bytes or its reverse.
  private static func greatestSuffix(
    _ bytes: UnsafePointer<UInt8>, count: Int, isReversed: Bool
  ) -> (start: Int, period: Int) {
    var (start, candidate, offset, period) = (0, 1, 0, 1)
    while candidate &+ offset < count {
      let (new, old) = (bytes[candidate &+ offset], bytes[start &+ offset])
      if new == old {
        if offset &+ 1 == period {
          candidate &+= period
          offset = 0
        } else {
          offset &+= 1
        }
      } else if (new < old) != isReversed {
        candidate &+= offset &+ 1
        offset = 0
        period = candidate &- start
      } else {
        start = candidate
        candidate &+= 1
        (offset, period) = (0, 1)
      }
    }
    return (start, period)
  }
}
