/// The identity of an object in its context: a value, never dangling.
///
/// It stays the same as long as the object lives, saves and rollbacks included. Once the object is
/// deleted, the id answers "deleted" for ever, even when its row is used again.
public struct ObjectID: RawRepresentable, Hashable, Sendable {
  /// Never 0, and less than 2^53: a number of JavaScript, and of most readers of JSON, holds it.
  ///
  /// Bits 0-31 are the row, 50-52 the split of the 18 bits between: the upper ones are the table's,
  /// the lower ones the generation's.
  public let rawValue: UInt64

  /// Makes an id from its number; whether it names an object, the context tells.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  @inline(__always)
  init(table: TableIndex, generation: UInt16, row: Row, split: IdentifierSplit) {
    let middle =
      UInt64(truncatingIfNeeded: table.offset) &<< split.generationBits | UInt64(generation)
    rawValue = split.rawValue &<< 50 | middle &<< 32 | UInt64(row.rawValue)
  }

  @inline(__always) private var split: IdentifierSplit {
    IdentifierSplit(rawValue: rawValue &>> 50)
  }
  @inline(__always) private var middle: UInt64 { rawValue &>> 32 & 0x3_FFFF }

  /// The number of the table; any number for an id that no context made.
  @inline(__always) var table: TableIndex {
    TableIndex(Int(truncatingIfNeeded: middle &>> split.generationBits))
  }
  @inline(__always) var generation: UInt16 {
    UInt16(truncatingIfNeeded: middle) & split.lastGeneration
  }
  /// Whether the row never had this id yet, but `last`.
  func isNewer(than last: ObjectID) -> Bool {
    split.rawValue != last.split.rawValue || generation > last.generation
  }

  @inline(__always) var row: Row { Row(rawValue: UInt32(truncatingIfNeeded: rawValue)) }
}

extension ObjectID: CustomStringConvertible {
  /// The number, as it is in reports and as programs see it.
  public var description: String { "#\(rawValue)" }
}

/// How the ids of a model tell tables and generations apart: the fewer tables, the more often a row
/// is used again.
struct IdentifierSplit {
  /// 1 to 7, so that no id is 0: twice as many bits, and 2 more, are the table's.
  let rawValue: UInt64

  @inline(__always) init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The split that leaves the most generations to so many tables.
  init(tableCount: Int) {
    var number: UInt64 = 1
    while number < 7, tableCount > 1 &<< (2 &* number &+ 2) { number += 1 }
    rawValue = number
  }

  @inline(__always) var generationBits: UInt64 { 16 &- 2 &* rawValue }

  /// The generation after which a row is not used again.
  @inline(__always) var lastGeneration: UInt16 {
    UInt16(truncatingIfNeeded: 1 &<< generationBits &- 1)
  }
}
