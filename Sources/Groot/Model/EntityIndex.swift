/// The number of an entity in its model.
package struct EntityIndex: TypedIndex {
  package let rawValue: Int

  @inline(__always)
  package init(rawValue: Int) { self.rawValue = rawValue }
}

/// The number of a hierarchy in its model, and of the table that keeps its objects.
package struct TableIndex: TypedIndex {
  /// The mark of an entry in the undo log that does not concern a table.
  package static let none = TableIndex(0)

  package let rawValue: Int

  @inline(__always)
  package init(rawValue: Int) { self.rawValue = rawValue }
}

/// The number of a relationship and its inverse in their model.
package struct LinkIndex: TypedIndex {
  package static let none = LinkIndex(rawValue: -1)

  package let rawValue: Int32

  @inline(__always)
  package init(rawValue: Int32) { self.rawValue = rawValue }
}

/// A direction of a relationship: the first is the to-one direction, if there is one.
package struct LinkSide: Hashable, BitwiseCopyable, Sendable {
  package let rawValue: UInt8

  @inline(__always)
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let first = LinkSide(rawValue: 0)
  package static let second = LinkSide(rawValue: 1)
  package static let both = [first, second]

  /// The opposite direction.
  @inline(__always)
  package var inverse: LinkSide { LinkSide(rawValue: 1 &- rawValue) }
}

/// A link and one of its directions.
struct LinkDirection: Hashable, BitwiseCopyable, Sendable {
  let link: LinkIndex
  let side: LinkSide

  /// The direction of an object that was not reached through a relationship.
  static let none = LinkDirection(link: .none, side: .first)
}
