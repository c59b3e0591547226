/// The kind of a failure, as a stable number: the same in Swift, C (`groot_status`) and Python.
///
/// Numbers have gaps and are never reused. A reader treats a number it does not know as a failure.
public struct Status: RawRepresentable, Hashable, Sendable {
  /// The number, as in C.
  public let rawValue: Int32

  /// Makes a status from its number.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// No failure.
  public static let ok = Status(rawValue: 0)

  /// An argument of a call is invalid, such as a null pointer or an unknown option.
  public static let invalidArgument = Status(rawValue: 1)
  /// The context is in use by another thread, or by the call that runs a callback.
  public static let busy = Status(rawValue: 2)
  /// The library does not support the request.
  public static let unsupported = Status(rawValue: 3)
  /// A progress callback ended the call.
  public static let cancelled = Status(rawValue: 4)
  /// A limit on depth, size or count was exceeded.
  public static let limitExceeded = Status(rawValue: 5)
  /// A file could not be read or written.
  public static let fileError = Status(rawValue: 6)
  /// Memory was refused; the call has changed nothing.
  public static let outOfMemory = Status(rawValue: 7)

  /// The text is not JSON (RFC 8259, as jansson reads it).
  public static let invalidJSON = Status(rawValue: 20)
  /// The text is not valid UTF-8.
  public static let invalidUTF8 = Status(rawValue: 21)

  /// The model is invalid; each mistake is an issue.
  public static let invalidModel = Status(rawValue: 40)
  /// Annotations or rules are invalid; each mistake is an issue.
  public static let invalidMapping = Status(rawValue: 41)
  /// There is no entity of this name.
  public static let unknownEntity = Status(rawValue: 42)
  /// The entity has no property of this name.
  public static let unknownProperty = Status(rawValue: 43)
  /// No transformer or mapper is registered under this name.
  public static let unknownTransformer = Status(rawValue: 44)
  /// The entity is abstract: only its descendants have objects.
  public static let abstractEntity = Status(rawValue: 45)

  /// A value has the wrong shape: an object, an array or a scalar in the place of another.
  public static let wrongShape = Status(rawValue: 60)
  /// The type of a value does not fit the attribute.
  public static let wrongType = Status(rawValue: 61)
  /// A number does not fit the attribute's type.
  public static let outOfRange = Status(rawValue: 62)
  /// A required property has no value.
  public static let missingValue = Status(rawValue: 63)
  /// An entity mapper did not return a suitable entity.
  public static let mapperFailed = Status(rawValue: 64)
  /// A transformer rejected a value.
  public static let transformFailed = Status(rawValue: 65)
  /// There is no object for an identifier.
  public static let unknownIdentifier = Status(rawValue: 66)
  /// A key is unmapped, and unmapped keys are errors.
  public static let unknownKey = Status(rawValue: 67)
  /// A record's identity is contradictory: its key differs from its own value, or the object with
  /// its identity is of another entity.
  ///
  /// In a save: several objects have the same identity.
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
  /// The id does not name an object of this context.
  public static let unknownObject = Status(rawValue: 101)
  /// A delete rule `deny` forbids the deletion.
  public static let deleteDenied = Status(rawValue: 102)
  /// A synchronization would delete more objects than its limit allows.
  public static let tooManyDeletions = Status(rawValue: 103)

  /// A callback failed.
  public static let callbackFailed = Status(rawValue: 120)

  /// The file is not a store, or is damaged.
  public static let storeInvalid = Status(rawValue: 140)
  /// The store was made by a newer version.
  public static let storeTooNew = Status(rawValue: 141)
  /// The store was made for another model.
  public static let storeModel = Status(rawValue: 142)
  /// The store can only be read.
  public static let storeReadOnly = Status(rawValue: 143)
  /// The store is full.
  public static let storeFull = Status(rawValue: 144)
  /// Another process has been writing to the store for too long.
  public static let storeLocked = Status(rawValue: 145)
  /// An object was changed in the store since it was read.
  public static let storeConflict = Status(rawValue: 146)
  /// Two objects in the store would have the same identity.
  public static let storeDuplicate = Status(rawValue: 147)
  /// The store failed in another way.
  public static let storeFailed = Status(rawValue: 148)
  /// The connection to the store was lost, or could not be made.
  public static let storeDisconnected = Status(rawValue: 149)
  /// A value in the store is not of its property's type, since another program wrote it.
  public static let storeValueInvalid = Status(rawValue: 150)

  /// Whether the store failed, not the request.
  var isAboutStore: Bool { (Status.storeInvalid.rawValue..<160).contains(rawValue) }
}
