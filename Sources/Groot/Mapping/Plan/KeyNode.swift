/// A key in a path of an entity, or the root above all keys.
///
/// The children of a node are adjacent: keys, sorted by length and bytes, then array positions,
/// then the node of all elements.
struct KeyNode {
  let bytes: UnsafePointer<UInt8>
  let length: UInt32
  /// The position in an array, or one of the two constants.
  let position: Int32
  static let isKey: Int32 = -1
  static let isElements: Int32 = -2
  let firstChild: Int32
  /// The number of keys among the children.
  let keyCount: Int32
  let childCount: Int32
  /// The first of the children by position, in ``Plan/positions``.
  let firstPosition: Int32
  let positionCount: Int32
  /// The child for all elements, or -1.
  let elements: Int32
  /// The slots that the key's value fills, in ``Plan/slots``.
  let firstSlot: Int32
  let slotCount: Int32
  /// The slot of the key's value if paths continue below it; -1 otherwise.
  let innerSlot: Int32
  /// The slot that the key's value fills, if it fills one and no path continues; -1 otherwise.
  let onlySlot: Int32
  /// Whether paths continue below any of the children.
  let hasInnerChildren: Bool
  /// The values that `@rest` keeps because an export would not write them.
  let leavings: Leavings
  /// Whether the key is known although it does not belong to a property.
  let isKnown: Bool
  /// Whether the key itself has no slot, and only paths through it lead to values.
  var leadsOn: Bool { slotCount == 0 && !isKnown }

  struct Leavings: OptionSet {
    let rawValue: UInt8
    /// Null, because a property without a value is omitted, or is an empty list.
    static let null = Leavings(rawValue: 1)
    /// An array or an object without content.
    static let empty = Leavings(rawValue: 2)
    /// A discriminator that differs from the one that an export writes.
    static let kind = Leavings(rawValue: 4)
    /// Any value, if the property has none and is therefore omitted.
    static let omitted = Leavings(rawValue: 8)
  }

  init(_ draft: PlanBuilder.Node, start: UnsafeMutablePointer<UInt8>, slots: [Int32]) {
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
    onlySlot =
      draft.slotCount == 1 && draft.innerSlot < 0 ? slots[Int(draft.firstSlot)] : -1
    hasInnerChildren = draft.hasInnerChildren
    isKnown = draft.isKnown
    leavings = draft.leavings
  }
}
