/// A key that some path of an entity goes through, or the root above all keys.
///
/// The children of a node are side by side: keys, sorted by length and bytes, then positions in an
/// array, then all its elements.
struct KeyNode {
  let bytes: UnsafePointer<UInt8>
  let length: UInt32
  /// The position in an array, or one of the next two.
  let position: Int32
  static let isKey: Int32 = -1
  static let isElements: Int32 = -2
  let firstChild: Int32
  /// How many of the children are keys.
  let keyCount: Int32
  let childCount: Int32
  /// The children at positions, one after the other in ``Plan/positions``.
  let firstPosition: Int32
  let positionCount: Int32
  /// The child for all elements, or -1.
  let elements: Int32
  /// The slots that the key's value fills, in ``Plan/slots``.
  let firstSlot: Int32
  let slotCount: Int32
  /// Where the key's value is noted when paths go on below it; -1 when none does.
  let innerSlot: Int32
  /// Whether paths go on below any of the node's children.
  let hasInnerChildren: Bool
  /// The values that an export would not write, so that `@rest` keeps them.
  let leavings: Leavings
  /// Whether something else than a property is read there, so that the key is known.
  let isKnown: Bool
  /// Whether the value is nothing by itself: only paths that go through it lead to values.
  var leadsOn: Bool { slotCount == 0 && !isKnown }

  struct Leavings: OptionSet {
    let rawValue: UInt8
    /// Null: a property without a value is left out, or is an empty list.
    static let null = Leavings(rawValue: 1)
    /// An array or an object without content.
    static let empty = Leavings(rawValue: 2)
    /// A value that chooses the entity, and is not the one that an export writes for it.
    static let kind = Leavings(rawValue: 4)
    /// Nothing is written where the property has no value.
    static let omitted = Leavings(rawValue: 8)
  }

  init(_ draft: PlanBuilder.Node, start: UnsafeMutablePointer<UInt8>) {
    bytes = UnsafePointer(start + draft.offset)
    length = UInt32(truncatingIfNeeded: draft.length)
    position = draft.position
    firstChild = Int32(truncatingIfNeeded: draft.firstChild)
    keyCount = Int32(truncatingIfNeeded: draft.keyCount)
    firstPosition = Int32(truncatingIfNeeded: draft.firstPosition)
    positionCount = Int32(truncatingIfNeeded: draft.positionCount)
    elements = draft.elements
    childCount = Int32(truncatingIfNeeded: draft.childCount)
    firstSlot = Int32(truncatingIfNeeded: draft.firstSlot)
    slotCount = Int32(truncatingIfNeeded: draft.slotCount)
    innerSlot = draft.innerSlot
    hasInnerChildren = draft.hasInnerChildren
    isKnown = draft.isKnown
    leavings = draft.leavings
  }
}
