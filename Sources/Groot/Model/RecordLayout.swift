/// The storage of a property in a record.
enum FieldStorage: UInt8, Sendable {
  /// 8 bytes: Int64, microseconds, or days.
  case integer
  /// 8 bytes: Double.
  case real
  /// 1 byte, 0 or 1.
  case boolean
  /// 16 bytes: a ``TextSlot``.
  case text
  /// 24 bytes: the coefficient's halves, low first, and the exponent.
  case decimal
  /// 16 bytes: the halves, high first.
  case uuid
  /// 4 bytes: the ``OptionalRow`` of the other side.
  case oneToOne
  /// 12 bytes: a ``MemberSlot``.
  case toOne
  /// 12 bytes: a ``ListHead`` of members.
  case memberList
  /// 12 bytes: a ``ListHead`` of nodes.
  case nodeList

  var width: Int {
    switch self {
    case .integer, .real: 8
    case .boolean: 1
    case .text, .uuid: 16
    case .decimal: 24
    case .oneToOne: 4
    case .toOne, .memberList, .nodeList: 12
    }
  }

  var alignment: Int {
    switch self {
    case .integer, .real, .text, .decimal, .uuid: 8
    case .oneToOne, .toOne, .memberList, .nodeList: 4
    case .boolean: 1
    }
  }

  init(_ type: AttributeType) {
    switch type {
    case .integer16, .integer32, .integer64, .date, .day: self = .integer
    case .double, .float: self = .real
    case .boolean: self = .boolean
    case .string, .binary, .uri, .transformable, .composite: self = .text
    case .decimal: self = .decimal
    case .uuid: self = .uuid
    }
  }
}

/// The place of a property in its records; flat, so that copies do not count references.
struct Field: Sendable {
  let storage: FieldStorage
  /// The attribute's type; meaningless for relationships.
  let type: AttributeType
  let isOptional: Bool
  /// The property's number in its hierarchy, which is also its presence bit and its changed bit.
  let number: UInt16
  /// Byte offset in the record.
  let offset: UInt32
  /// The local indexes of the first and last entity that have the property.
  let firstEntity: UInt16
  let lastEntity: UInt16
  /// The link of a relationship.
  let link: LinkIndex
  /// The side of the link.
  let side: LinkSide

  /// Returns whether an entity, by its local index, has the property; fields of other entities may
  /// overlap it.
  @inline(__always)
  func belongs(to entity: UInt16) -> Bool { firstEntity <= entity && entity <= lastEntity }

  var isRelationship: Bool { storage.rawValue >= FieldStorage.oneToOne.rawValue }
  var isToMany: Bool { storage == .memberList || storage == .nodeList }
}

/// The layout of the records of a hierarchy.
///
/// A record consists of the header (8 bytes, ``RecordHeader``), a bit per property for "changed
/// since the last save", a bit per property for "has a value", and the fields. For a to-many
/// relationship, the latter bit means that a store may have more members than the list. The fields
/// of siblings overlap: a record keeps its entity, except that a placeholder may become a record of
/// a descendant.
struct RecordLayout: Sendable {
  static let changedOffset = RecordHeader.size

  let propertyCount: Int
  let presenceOffset: Int
  let stride: Int

  init(propertyCount: Int, end: Int) {
    self.propertyCount = propertyCount
    self.presenceOffset = Self.presenceOffset(propertyCount)
    self.stride = (end + 7) / 8 * 8
  }

  static func presenceOffset(_ propertyCount: Int) -> Int {
    changedOffset + (propertyCount + 7) / 8
  }

  /// Returns the offset of the root entity's first field.
  static func fieldsOffset(_ propertyCount: Int) -> Int {
    presenceOffset(propertyCount) + (propertyCount + 7) / 8
  }
}

/// The first 8 bytes of a record.
struct RecordHeader {
  static let size = 8

  /// The generation of the row, which grows each time the row is freed, so that old ids are
  /// recognised.
  var generation: UInt16
  /// The local index of the record's entity.
  var entity: UInt16
  /// Bits of ``RecordState``.
  var state: UInt8
  /// Bits of ``ImportMark``, which are valid while `epoch` is that of the current import.
  var marks: UInt8
  /// The number of the last import that found the object.
  var epoch: UInt16
}

/// The effect of the current import on an object.
enum ImportMark {
  static let inserted: UInt8 = 1
  static let updated: UInt8 = 2
  /// A stand-in for an object that an identifier names before its record is read.
  static let stub: UInt8 = 4
}

/// The bits of a record's state.
enum RecordState {
  /// The object exists.
  static let live: UInt8 = 1
  /// Inserted since the last save.
  static let inserted: UInt8 = 2
  /// Inserted before the last save, and with properties that changed since.
  static let updated: UInt8 = 4
  /// Being written by an export, as an ancestor of the current object.
  static let exporting: UInt8 = 8
  /// Already written under the top-level object of an export.
  static let exported: UInt8 = 32
  /// The values are in the store and not read yet.
  static let fault: UInt8 = 64
  /// About to be deleted.
  static let doomed: UInt8 = 16
  /// Only named by an identifier so far: its record may make it an object of a sub-entity.
  static let placeholder: UInt8 = 128
  /// The bits that are cleared when a call ends.
  static let passing: UInt8 = exporting | exported | doomed
}
