/// Finds bytes in a text in linear time and without memory: the two-way algorithm of Crochemore and
/// Perrin.
///
/// The needle is cut where its parts least repeat each other. The right part is compared first;
/// where it differs, the text moves on by as much as was compared.
struct TextSearch {
  private let wanted: UnsafePointer<UInt8>
  private let count: Int
  /// Where the right part begins.
  private let cut: Int
  private let period: Int
  /// Whether all of it repeats after the period; a part that is known to fit is then not compared
  /// again.
  private let isPeriodic: Bool

  /// `wanted` must stay where it is, and has at least one byte.
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

  /// The position of the first occurrence in a text, between two positions; nil when there is none.
  @inline(__always)
  func first(
    in text: UnsafePointer<UInt8>, from low: Int, to high: Int, _ read: (UInt8) -> UInt8
  ) -> Int? {
    var position = low
    // So much of it is known to fit here.
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

  /// The start of the suffix that is the greatest in the order of bytes or its reverse, and its
  /// period.
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
