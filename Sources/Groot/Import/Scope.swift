/// The way to an object: the relationship that leads to it, and the changes allowed to it.
///
/// The relationship is part of the identity of objects that are identified within their parent.
/// Every part of the resolver takes a scope, so it is a few words: its marks are bits of one.
struct Scope {
  private(set) var link: LinkIndex
  /// The properties that exports write of the objects, in ``Plan/partials``; -1 for all.
  private(set) var partial: Int32 = -1
  /// The parent's row.
  private(set) var row: OptionalRow
  /// The current object of the relationship if it may be filled.
  var current = OptionalRow.none
  private var marks: UInt32

  private static let operationBits: UInt32 = 0xF
  private static let ignoresInverseBit: UInt32 = 0x10
  private static let secondSideBit: UInt32 = 0x20
  private static let unidentifiedShift: UInt32 = 8
  private static let unknownShift: UInt32 = 16
  private static let enumBits: UInt32 = 0xFF

  enum Unidentified: UInt8 {
    case insert
    /// The linked object is filled; a new one is made if there is none.
    case reuse
    /// The record is left out of a relationship, and the report notes it.
    case skip
    /// The record is left out as a whole, and the report notes it.
    case note
  }

  @inline(__always)
  init(_ step: PlanPart<StepPlan>, row: Row, operations: ImportOperations) {
    link = step.field.link
    partial = step.partial
    self.row = OptionalRow(row)
    let options = step.options
    marks = UInt32(step.policies.unknownIdentifier.rawValue) &<< Self.unknownShift
    marks |= operations.rawValue
    if options.contains(.alwaysInserts) {
      marks |= ImportOperations.insertsUnidentified.rawValue
    }
    if step.field.side == .second { marks |= Self.secondSideBit }
    if options.contains(.ignoresInverse) { marks |= Self.ignoresInverseBit }
    if options.contains(.reusesUnidentified) {
      unidentified = .reuse
    } else if options.contains(.skipsUnidentified) {
      unidentified = .skip
    }
  }

  /// Makes the scope of top-level objects.
  @inline(__always)
  init(_ unknownIdentifier: Policies.UnknownIdentifier, operations: ImportOperations) {
    link = .none
    row = .none
    marks =
      UInt32(unknownIdentifier.rawValue) &<< Self.unknownShift | operations.rawValue
  }

  /// Treats top-level objects as members of a parent.
  mutating func reach(from parent: SyncScope.ParentLink) {
    link = parent.field.link
    row = OptionalRow(parent.parent.row)
    marks |= Self.ignoresInverseBit
    if parent.field.side == .first { marks |= Self.secondSideBit }
  }

  /// The side of the parent.
  @inline(__always)
  var side: LinkSide { marks & Self.secondSideBit == 0 ? .first : .second }

  /// Whether the inverse of the relationship is not read from the object's record.
  @inline(__always)
  var ignoresInverse: Bool { marks & Self.ignoresInverseBit != 0 }

  /// The changes allowed to the object.
  @inline(__always)
  var operations: ImportOperations {
    get { ImportOperations(rawValue: marks & Self.operationBits) }
    set { marks = marks & ~Self.operationBits | newValue.rawValue }
  }

  /// The treatment of an identifier without an object.
  @inline(__always)
  var unknownIdentifier: Policies.UnknownIdentifier {
    get {
      let number = UInt8(truncatingIfNeeded: marks &>> Self.unknownShift)
      return Policies.UnknownIdentifier(rawValue: number) ?? .error
    }
    set {
      marks &= ~(Self.enumBits &<< Self.unknownShift)
      marks |= UInt32(newValue.rawValue) &<< Self.unknownShift
    }
  }

  /// The treatment of a record without an identity although the entity has one.
  @inline(__always)
  var unidentified: Unidentified {
    get {
      let number = UInt8(truncatingIfNeeded: marks &>> Self.unidentifiedShift)
      return Unidentified(rawValue: number) ?? .insert
    }
    set {
      marks &= ~(Self.enumBits &<< Self.unidentifiedShift)
      marks |= UInt32(newValue.rawValue) &<< Self.unidentifiedShift
    }
  }
}

/// The changes allowed to objects that come as JSON objects.
struct ImportOperations: OptionSet {
  let rawValue: UInt32

  /// Missing objects are made.
  static let inserts = ImportOperations(rawValue: 1)
  /// Existing objects are changed.
  static let updates = ImportOperations(rawValue: 2)
  /// Objects without an identity are made.
  static let insertsUnidentified = ImportOperations(rawValue: 4)
  /// Existing objects are only named, including those in their records.
  static let names = ImportOperations(rawValue: 8)

  /// Returns the operations that make missing objects and those that change existing ones.
  static func with(inserts: Bool, updates: Bool) -> ImportOperations {
    var operations: ImportOperations = []
    if inserts { operations.formUnion([.inserts, .insertsUnidentified]) }
    if updates { operations.insert(.updates) }
    return operations
  }
}
