/// The kind of a failure, as a stable number: the same in Swift, C (`groot_status`) and Python.
///
/// Numbers have gaps and are never reused. A reader treats a number it does not know as a failure.
public struct Status: RawRepresentable, Hashable, Sendable {
  /// The number, as C sees it.
  public let rawValue: Int32

  /// Makes a status from its number.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// No failure.
  public static let ok = Status(rawValue: 0)

  /// A call was made with something it does not take: a null pointer, an unknown option.
  public static let invalidArgument = Status(rawValue: 1)
  /// A callback used the context that is calling it.
  public static let busy = Status(rawValue: 2)
  /// The library does not offer what was asked for.
  public static let unsupported = Status(rawValue: 3)
  /// A progress callback ended the call.
  public static let cancelled = Status(rawValue: 4)
  /// A limit on depth, size or count was passed.
  public static let limitExceeded = Status(rawValue: 5)
  /// A file could not be read or written.
  public static let fileError = Status(rawValue: 6)
  /// There is no memory for what the call was to do, and nothing changed.
  public static let outOfMemory = Status(rawValue: 7)

  /// The text is not JSON (RFC 8259, as jansson reads it).
  public static let invalidJSON = Status(rawValue: 20)
  /// Text handed over is not UTF-8.
  public static let invalidUTF8 = Status(rawValue: 21)

  /// The model contradicts itself; each thing that is wrong is an issue.
  public static let invalidModel = Status(rawValue: 40)
  /// Annotations or rules cannot be compiled; each thing that is wrong is an issue.
  public static let invalidMapping = Status(rawValue: 41)
  /// No entity has this name.
  public static let unknownEntity = Status(rawValue: 42)
  /// The entity has no property of this name.
  public static let unknownProperty = Status(rawValue: 43)
  /// No transformer or mapper is registered under this name.
  public static let unknownTransformer = Status(rawValue: 44)
  /// The entity is abstract: it has no objects of its own.
  public static let abstractEntity = Status(rawValue: 45)

  /// An object, an array or a scalar is where another shape belongs.
  public static let wrongShape = Status(rawValue: 60)
  /// A value's type does not fit the attribute.
  public static let wrongType = Status(rawValue: 61)
  /// A number does not fit the attribute's type.
  public static let outOfRange = Status(rawValue: 62)
  /// A required property has no value.
  public static let missingValue = Status(rawValue: 63)
  /// An entity mapper named no fitting entity.
  public static let mapperFailed = Status(rawValue: 64)
  /// A transformer refused a value.
  public static let transformFailed = Status(rawValue: 65)
  /// An identifier names no object.
  public static let unknownIdentifier = Status(rawValue: 66)
  /// A key is unmapped, where that is a mistake.
  public static let unknownKey = Status(rawValue: 67)
  /// The identity of a record contradicts itself: its key is another than its own value, or the object
  /// that has its identity is of another entity.
  ///
  /// Of a save: several objects have one identity.
  public static let identityConflict = Status(rawValue: 68)

  /// A to-many has fewer members than the model allows.
  public static let tooFew = Status(rawValue: 80)
  /// A to-many has more members than the model allows.
  public static let tooMany = Status(rawValue: 81)
  /// A value is above the attribute's maximum.
  public static let tooLarge = Status(rawValue: 82)
  /// A value is below the attribute's minimum.
  public static let tooSmall = Status(rawValue: 83)
  /// A string is longer than the model allows.
  public static let tooLong = Status(rawValue: 84)
  /// A string is shorter than the model allows.
  public static let tooShort = Status(rawValue: 85)
  /// A string does not match the attribute's pattern.
  public static let patternMismatch = Status(rawValue: 86)
  /// A value is not among those that the attribute lists.
  public static let unlistedValue = Status(rawValue: 87)

  /// The object was deleted.
  public static let objectDeleted = Status(rawValue: 100)
  /// The number names no object of this context.
  public static let unknownObject = Status(rawValue: 101)
  /// A delete rule `deny` forbids the deletion.
  public static let deleteDenied = Status(rawValue: 102)

  /// A callback reported a failure of its own.
  public static let callbackFailed = Status(rawValue: 120)

  /// The file is not a store, or is damaged.
  public static let storeInvalid = Status(rawValue: 140)
  /// The store was made by a newer version.
  public static let storeTooNew = Status(rawValue: 141)
  /// The store was made for another model.
  public static let storeModel = Status(rawValue: 142)
  /// The store can only be read.
  public static let storeReadOnly = Status(rawValue: 143)
  /// There is no room for the store to grow.
  public static let storeFull = Status(rawValue: 144)
  /// Another process is writing to the store for too long.
  public static let storeLocked = Status(rawValue: 145)
  /// An object was changed in the store since it was read.
  public static let storeConflict = Status(rawValue: 146)
  /// Two objects in the store would have one identity.
  public static let storeDuplicate = Status(rawValue: 147)
  /// The store failed in another way.
  public static let storeFailed = Status(rawValue: 148)

  /// Whether the store is what failed, and not what was asked of it.
  var isAboutStore: Bool { (Status.storeInvalid.rawValue..<160).contains(rawValue) }
}
