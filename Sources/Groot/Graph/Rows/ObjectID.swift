/// The identity of an object in its context: a value that never dangles.
///
/// It stays the same during the life of the object, including saves and rollbacks. After the object
/// is deleted, the id always answers "deleted", even if its row is used again.
public struct ObjectID: RawRepresentable, Hashable, Sendable {
  /// The number of the id, from 1 to 2^53 - 1: JavaScript and most JSON readers can hold it.
  ///
  /// Bits 0-31 are the row, and bits 50-52 the split of the 18 bits between. Of these, the upper
  /// bits are the table's and the lower bits the generation's.
  public let rawValue: UInt64

  /// Makes an id from its number; only the context knows whether it names an object.
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

  /// The number of the table; any number for an id that a context did not make.
  @inline(__always) var table: TableIndex {
    TableIndex(Int(truncatingIfNeeded: middle &>> split.generationBits))
  }
  @inline(__always) var generation: UInt16 {
    UInt16(truncatingIfNeeded: middle) & split.lastGeneration
  }
  /// Returns whether a row whose last id was `last` has never had this id.
  func isNewer(than last: ObjectID) -> Bool {
    split.rawValue != last.split.rawValue || generation > last.generation
  }

  @inline(__always) var row: Row { Row(rawValue: UInt32(truncatingIfNeeded: rawValue)) }
}

extension ObjectID: CustomStringConvertible {
  /// The number, as it appears in reports and programs.
  public var description: String { "#\(rawValue)" }
}

/// The bits of a model's ids for tables and generations.
///
/// Fewer tables leave more generations, so that a row can be used again more often.
struct IdentifierSplit {
  /// A number from 1 to 7, so that no id is 0; the table has 2 more than twice as many bits.
  let rawValue: UInt64

  @inline(__always) init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Makes the split with the most generations for a number of tables.
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
