/// Orders of list entries, one after the other in the same memory.
///
/// A save reads thousands of short orders: each in an array of its own would be elsewhere in memory.
struct ListOrders {
  private var entries: [ListEntry] = []
  /// By order, the end of its entries.
  private var ends: [Int] = []

  /// The number of orders.
  var count: Int { ends.count }

  /// The entries of the order at a position.
  subscript(_ position: Int) -> ArraySlice<ListEntry> {
    entries[(position > 0 ? ends[position - 1] : 0)..<ends[position]]
  }

  mutating func append(_ order: [ListEntry]) {
    entries += order
    ends.append(entries.count)
  }

  /// Removes the last order and returns its entries; nil without one.
  mutating func popLast() -> [ListEntry]? {
    guard let end = ends.popLast() else { return nil }
    let start = ends.last ?? 0
    let order = Array(entries[start..<end])
    entries.removeLast(end - start)
    return order
  }
}
