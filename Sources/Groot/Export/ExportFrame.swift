/// An object that is being written.
struct ExportFrame {
  let object: ObjectKey
  /// The next output, and the one after the last.
  var next: Int32
  let end: Int32
  /// The relationship that led to the object; none for a top-level object.
  let arrival: LinkDirection
  /// Whether the members of the to-many before `next` are being written.
  var isInList = false
  /// Whether that list is the last one of ``ArrangedLists``, not in its own order.
  var isArranged = false
  /// Whether the enclosing objects of the current member are open.
  var isWrapped = false
  /// Whether the object is written as an array of values without keys.
  let isPositional: Bool
  /// Whether all outputs but the key are written as the plan says.
  let isPlain: Bool
  /// Whether nothing but the rest lets outputs differ from the plan: values stay as they are.
  let hasOnlyRest: Bool
  /// Whether the object keeps unmapped or ignored values.
  let hasRest: Bool
  /// Whether the object is written under its key in a keyed collection.
  let isKeyed: Bool
  /// Whether outputs of the object may be left out by the options.
  let isFiltered: Bool
  /// Whether the object was only named, and a record may still determine its entity.
  ///
  /// A record would itself determine the entity, so only the identity and relationships are
  /// written.
  let isOnlyNamed: Bool
  /// The next member of the current to-many.
  var member = OptionalEntry.none
  /// The number of members written under the keys `0`, `1` and so on.
  var memberIndex: UInt32 = 0
  /// The position in the text of the list's key.
  var listStart = 0
  /// The position in the text of the object's key if empty objects are left out; else -1.
  let start: Int
}

extension ExportFrame {
  /// Skips the outputs to the end of the nested object or array that has begun.
  mutating func skipNested(_ plan: Plan) {
    var level = 1
    while level > 0, next < end {
      switch plan.outputs[Int(next)].kind {
      case .open, .openArray: level += 1
      case .close, .closeArray: level -= 1
      default: break
      }
      next &+= 1
    }
  }
}
