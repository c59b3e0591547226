/// The existing objects of a table that a save writes, in groups for one statement each.
struct StoreUpdates {
  /// The objects that get values in the same columns.
  struct Group {
    let columns: [Int]
    let hasEntity: Bool
    fileprivate(set) var rows: [Row]
  }

  private struct Kind: Hashable {
    let columns: [Int]
    let hasEntity: Bool
  }

  private(set) var groups: [Group] = []
  private var places: [Kind: Int] = [:]

  mutating func add(_ row: Row, columns: [Int], hasEntity: Bool) {
    // Mostly an object has changes like those of the object before.
    if let last = groups.last, last.columns == columns, last.hasEntity == hasEntity {
      groups[groups.count - 1].rows.append(row)
      return
    }
    let kind = Kind(columns: columns, hasEntity: hasEntity)
    if let place = places[kind] {
      groups[place].rows.append(row)
    } else {
      places[kind] = groups.count
      groups.append(Group(columns: columns, hasEntity: hasEntity, rows: [row]))
    }
  }
}
