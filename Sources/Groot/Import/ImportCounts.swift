/// What an import has done so far.
struct ImportCounts {
  var inserted = 0
  var updated = 0
  /// Objects that were there and were given as JSON objects.
  var met = 0
  var deleted = 0
}

/// An object that is no member of a relationship any more.
struct MissingMember {
  let link: Int32
  /// The side of the relationship it was a member of.
  let side: UInt8
  let row: UInt32
}

/// The marks that an object had before a record met it.
struct MetObject {
  let table: UInt16
  let epoch: UInt16
  let row: UInt32
  let marks: UInt8
}
