/// The identity of an object in its context: a value, never dangling.
///
/// It stays the same as long as the object lives, saves and rollbacks included. Once the object is
/// deleted, the id answers "deleted" for ever, even when its row is used again.
public struct ObjectID: RawRepresentable, Hashable, Sendable {
  /// Bits 0-31 the row, 32-47 the row's generation, 48-63 the hierarchy + 1.
  ///
  /// Never 0.
  public let rawValue: UInt64

  /// Makes an id from its number; whether it names an object, the context tells.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  @inline(__always)
  init(table: TableIndex, generation: UInt16, row: Row) {
    rawValue =
      UInt64(truncatingIfNeeded: table.offset &+ 1) &<< 48 | UInt64(generation) &<< 32
      | UInt64(row.rawValue)
  }

  /// The number of the table; -1 or any other number for an id that no context made.
  @inline(__always) var table: TableIndex { TableIndex(Int(rawValue &>> 48) &- 1) }
  @inline(__always) var generation: UInt16 { UInt16(truncatingIfNeeded: rawValue &>> 32) }
  @inline(__always) var row: Row { Row(rawValue: UInt32(truncatingIfNeeded: rawValue)) }
}

extension ObjectID: CustomStringConvertible {
  /// The number, as it is in reports and as programs see it.
  public var description: String { "#\(rawValue)" }
}
