/// The rows with the identity and the entity of an older row: a heap by age with positions.
///
/// Every operation takes logarithmic time.
struct EqualRows {
  /// The heap: no row is younger than the rows at twice its position plus 1 and plus 2.
  private(set) var members: [Row] = []
  private var positions: [Row: Int] = [:]

  var isEmpty: Bool { members.isEmpty }

  func contains(_ row: Row) -> Bool { positions[row] != nil }

  mutating func insert(_ row: Row, in table: UnsafePointer<ObjectTable>) {
    guard positions[row] == nil else { return }
    members.append(row)
    positions[row] = members.count - 1
    rise(from: members.count - 1, in: table)
  }

  /// Removes a row; returns false for a row that is not a member.
  mutating func remove(_ row: Row, in table: UnsafePointer<ObjectTable>) -> Bool {
    guard let position = positions.removeValue(forKey: row) else { return false }
    let last = members.removeLast()
    if position < members.count {
      members[position] = last
      positions[last] = position
      sink(from: position, in: table)
      rise(from: position, in: table)
    }
    return true
  }

  /// Removes the oldest row.
  mutating func popOldest(in table: UnsafePointer<ObjectTable>) -> Row? {
    guard let oldest = members.first else { return nil }
    return remove(oldest, in: table) ? oldest : nil
  }

  private mutating func rise(from position: Int, in table: UnsafePointer<ObjectTable>) {
    var position = position
    while position > 0, table.pointee.isOlder(members[position], members[(position - 1) / 2]) {
      swap(position, (position - 1) / 2)
      position = (position - 1) / 2
    }
  }

  private mutating func sink(from position: Int, in table: UnsafePointer<ObjectTable>) {
    var position = position
    while true {
      var oldest = position
      for child in [2 * position + 1, 2 * position + 2] where child < members.count {
        if table.pointee.isOlder(members[child], members[oldest]) { oldest = child }
      }
      if oldest == position { return }
      swap(position, oldest)
      position = oldest
    }
  }

  private mutating func swap(_ one: Int, _ other: Int) {
    members.swapAt(one, other)
    positions[members[one]] = one
    positions[members[other]] = other
  }
}
