// Sorting of elements that come in short runs.

extension UnsafeMutableBufferPointer {
  /// Sorts each run of elements that belong together, such as the links of one source.
  ///
  /// Most runs are short. Complexity: O(count) for runs of bounded length.
  @inline(__always)
  func sortRuns(
    of belongTogether: (Element, Element) -> Bool, by isOrdered: (Element, Element) -> Bool
  ) {
    var start = 0
    while start < count {
      var end = start &+ 1
      while end < count, belongTogether(self[start], self[end]) { end &+= 1 }
      if end &- start > 16 {
        self[start..<end].sort(by: isOrdered)
      } else {
        sortFew(start..<end, by: isOrdered)
      }
      start = end
    }
  }

  @inline(__always)
  private func sortFew(_ range: Range<Int>, by isOrdered: (Element, Element) -> Bool) {
    for next in range.dropFirst() {
      let element = self[next]
      var place = next
      while place > range.lowerBound, isOrdered(element, self[place &- 1]) {
        self[place] = self[place &- 1]
        place &-= 1
      }
      self[place] = element
    }
  }
}
