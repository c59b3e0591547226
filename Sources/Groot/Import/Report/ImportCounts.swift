/// The number of changes of an import so far.
///
/// A value that changes back still counts, until the counts are settled at the end.
struct ImportCounts {
  var inserted = 0
  var updated = 0
  /// The number of existing objects that came as JSON objects.
  var met = 0
  /// The number of those that differ from before, once it is settled.
  private var metAndChanged: Int?
  /// The number of records left out because they are not newer than their objects.
  var stale = 0

  var unchanged: Int { met - (metAndChanged ?? updated) }

  /// Sets the counts to the differences from the beginning of the import.
  mutating func settle(_ difference: GraphDifference) {
    let graph = difference.graph
    func marks(_ number: UInt64) -> UInt8? {
      let (table, row) = GraphDifference.object(number)
      let header = graph.tables[table].header(row).pointee
      return header.epoch == graph.epoch ? header.marks : nil
    }
    func metCount(_ set: borrowing NumberSet) -> Int {
      var count = 0
      for position in 0..<set.count where marks(set[position]) != nil { count += 1 }
      return count
    }
    metAndChanged = metCount(difference.updated) + metCount(difference.deleted)
    updated = difference.updated.count
    for position in 0..<difference.dropped.count
    where marks(difference.dropped[position]) == ImportMark.inserted {
      inserted -= 1
    }
  }
}
