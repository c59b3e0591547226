/// An object that is being written.
struct ExportFrame {
  let table: Int32
  let row: UInt32
  /// The next output, and the one behind the last.
  var next: Int32
  let end: Int32
  /// The relationship that led here, and its side; -1 for a top-level object.
  let link: Int32
  let side: UInt8
  /// Whether the members of the to-many before `next` are being written.
  var isInList: Bool
  /// The next member's row, or its node, + 1.
  var member: UInt32
}

/// An object that was written.
struct WrittenRow {
  let table: Int32
  let row: UInt32
}
