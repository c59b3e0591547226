// Search in sorted arrays.

extension Array {
  /// Returns the position of the first element with a value in an array that is sorted by it; nil
  /// without one.
  ///
  /// Complexity: O(log count).
  @inline(__always)
  func firstPlace<Order: Comparable>(of value: Order, by key: (Element) -> Order) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low &+ high) &>> 1
      if key(self[middle]) < value { low = middle &+ 1 } else { high = middle }
    }
    return low < count && key(self[low]) == value ? low : nil
  }
}
