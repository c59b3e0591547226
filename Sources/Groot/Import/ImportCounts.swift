/// The changes of an import so far: a change back counts too, until all is settled at the end.
struct ImportCounts {
  var inserted = 0
  var updated = 0
  /// Objects that were there and were given as JSON objects.
  var met = 0
  /// Those of them that are not as before.
  private var metAndChanged: Int?
  /// Records that were left out since their objects are as new.
  var stale = 0

  var unchanged: Int { met - (metAndChanged ?? updated) }

  /// Takes over what differs from the beginning of the import.
  mutating func settle(_ difference: GraphDifference) {
    let graph = difference.graph
    func marks(_ number: UInt64) -> UInt8? {
      let (table, row) = GraphDifference.object(number)
      let header = graph.tables[table].header(row).pointee
      return header.epoch == graph.epoch ? header.marks : nil
    }
    var changed = 0
    for set in [difference.updated, difference.deleted] {
      for position in 0..<set.count where marks(set[position]) != nil { changed += 1 }
    }
    metAndChanged = changed
    updated = difference.updated.count
    for position in 0..<difference.dropped.count
    where marks(difference.dropped[position]) == ImportMark.inserted {
      inserted -= 1
    }
  }
}

/// An object that has left a relationship.
struct MissingMember {
  let link: LinkIndex
  /// The side of the relationship it was a member of.
  let side: LinkSide
  let row: Row
}

/// The marks that an object had before a record met it.
struct MetObject {
  let table: TableIndex
  let epoch: UInt16
  let row: Row
  let marks: UInt8
}
