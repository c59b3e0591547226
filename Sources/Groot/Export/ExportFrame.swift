/// An object that is being written.
struct ExportFrame {
  let object: ObjectKey
  /// The next output, and the one after the last.
  var next: Int32
  let end: Int32
  /// The relationship that led here; none for a top-level object.
  let arrival: LinkDirection
  /// Whether the members of the to-many before `next` are being written.
  var isInList: Bool
  /// Whether it is written as an array, its values without keys.
  let isPositional: Bool
  /// The next member of the to-many that is being written.
  var member: OptionalEntry
  /// The next of the members that are written in an order of their own, in ``Exporter/arranged``, and
  /// the one after the last; -1 when the list's own order is followed.
  var arranged: Int32 = -1
  var arrangedEnd: Int32 = -1
  var arrangedStart: Int32 = -1
  /// Whether objects around the member being written are open.
  var isWrapped = false
  /// Whether it keeps values that no property has taken.
  let hasRest: Bool
  /// Whether it stands under its key in a keyed collection.
  var isKeyed = false
  /// Whether it was only named, and a record may still say of which entity it is: as a record it would say
  /// that itself, so that no attribute but its identity is written.
  let isOnlyNamed: Bool
  /// How many members were written under the keys `0`, `1` and so on.
  var memberIndex: UInt32
  /// Where the text of the list and its key begins.
  var listStart: Int
  /// Where the text of the object and its key begins, when it is left out if nothing is in it; else
  /// -1.
  let start: Int
}
