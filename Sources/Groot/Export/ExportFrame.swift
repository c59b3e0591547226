/// An object that is being written.
struct ExportFrame {
  let object: ObjectKey
  /// The next output, and the one after the last.
  var next: Int32
  let end: Int32
  /// The relationship that led to the object; none for a top-level object.
  let arrival: LinkDirection
  /// Whether the members of the to-many before `next` are being written.
  var isInList: Bool
  /// Whether the object is written as an array of values without keys.
  let isPositional: Bool
  /// The next member of the current to-many.
  var member: OptionalEntry
  /// The next member in ``Exporter/arranged``, the end and the start; -1 for the list's own order.
  var arranged: Int32 = -1
  var arrangedEnd: Int32 = -1
  var arrangedStart: Int32 = -1
  /// Whether the enclosing objects of the current member are open.
  var isWrapped = false
  /// Whether the object keeps unmapped or ignored values.
  let hasRest: Bool
  /// Whether the object is written under its key in a keyed collection.
  var isKeyed = false
  /// Whether the object was only named, and a record may still determine its entity.
  ///
  /// A record would itself determine the entity, so only the identity and relationships are
  /// written.
  let isOnlyNamed: Bool
  /// The number of members written under the keys `0`, `1` and so on.
  var memberIndex: UInt32
  /// The position in the text of the list's key.
  var listStart: Int
  /// The position in the text of the object's key if empty objects are left out; else -1.
  let start: Int
}
