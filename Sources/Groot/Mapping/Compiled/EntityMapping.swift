/// The mapping between JSON and the objects of one entity, compiled by a dialect from annotations
/// or rules.
struct EntityMapping: Sendable {
  /// The entity, as a position in the model.
  let entity: EntityIndex
  /// Whether objects of its sub-entities use this mapping instead of their own, as with nested
  /// rules.
  var isFixed = false
  /// Whether JSON has only identifiers of its objects.
  var takesIdentifiersOnly = false
  /// Whether the identity is only a foreign key, by which records of the entity are not found.
  var isForeignKey = false
  /// The numbers of the properties that identify an object; empty without an identity.
  var identity: [Int] = []
  /// Whether a record without identity is skipped, with a note in the report.
  var notesUnidentified = false
  /// The function that transforms each record before it is read.
  var dictionaryTransformer: TransformerRegistry.TapeTransform?
  /// The name of that transformer, by which the transformers of two entities are compared.
  var dictionaryTransformerName: String?
  /// The function that chooses the entity of a new object.
  var entityMapper: TransformerRegistry.TapeTransform?
  var entityMapperName: String?
  /// The mapped properties: attributes first, then relationships; several mappings of one property
  /// are adjacent.
  var properties: [PropertyMapping] = []
  /// The function that finds the property of an unmapped key.
  var spelling: KeySpelling?
  /// Whether a missing key inside an existing object counts as null.
  var clearsMissingLeaves = false
  /// Whether key paths continue in each element of an array.
  var entersArrays = true
  /// Whether numeric keys are positions if the data is an array.
  var isPositional = false
  /// The value in JSON that chooses the entity; nil without one.
  var discriminator: DiscriminatorMapping?
  /// The entity that has the annotation of the discriminator.
  var discriminatorBase: EntityIndex?
  /// The value that chooses this entity; nil without one.
  var discriminatorValue: String?
  /// The number of the attribute with the version of a record; nil without one.
  var version: Int?
  /// Whether a record with the same version as the object changes it.
  var takesEqualVersion = false
  /// The value that marks a deletion; nil without one.
  var tombstone: TombstoneMapping?
  /// The number of the attribute that is set instead of deleting; nil without one.
  var deletionMark: Int?
  /// The treatment of unmapped keys by an import; nil for the import's option.
  var unknownKeys: UnknownKeys?
  /// Paths in its records that are known although they do not belong to a property.
  var knownPaths: [JSONKeyPath] = []
  /// The outputs, for each ``ExportVariant`` of the mapping.
  var outputs: [[OutputMapping]] = []
}

/// Returns the position in ``EntityMapping/properties`` that a key is another spelling of; nil
/// without one.
typealias KeySpelling = @Sendable (String) -> Int?

/// The reading of one property; several for one property are tried in order.
struct PropertyMapping: Sendable {
  let property: Property
  /// The places of its value; the first existing one wins.
  ///
  /// First come ``identifierCount`` paths to identifiers, then ``objectCount`` paths to objects,
  /// then paths to either.
  var inputs: [JSONKeyPath]
  /// The number of paths that lead only to identifiers of a relationship's members.
  var identifierCount = 0
  /// The number of paths that lead only to objects.
  var objectCount = 0
  var conversion = Conversion.plain
  /// The formats of its dates or days, if an annotation lists them.
  var dateForms: DateForms?
  var forward: TransformerRegistry.TapeTransform?
  var reverse: TransformerRegistry.TapeTransform?
  /// The same functions for many values; nil for those that take a value at a time.
  var batch: BatchFunction?
  var reverseBatch: BatchFunction?
  var transformerName: String?
  /// The mapping of the objects of a relationship.
  var destination = PlanIndex.none
  /// Whether an export writes members as their identifiers.
  var writesIdentifiers = false
  /// The numbers of the properties that members are written with; empty for all.
  var exportProperties: Set<Int> = []
  /// The path of the discriminator beside a to-one's identifier.
  var kindPath: JSONKeyPath?
  /// The form of the members of a to-many.
  var form = CollectionForm.array
  var options: PropertyOptions = []
  var policies = Policies()
}

/// A value in an object's JSON that only its members keep.
struct MemberValue: Equatable, Sendable {
  /// The position of the relationship in ``EntityMapping/properties``.
  let relationship: Int
  /// The number of the attribute in the hierarchy of the members.
  let number: Int
}

/// The output of one property.
struct OutputMapping: Equatable, Sendable {
  /// The position in ``EntityMapping/properties``; -1 for a constant.
  var position: Int
  let path: JSONKeyPath
  /// The values of members that are written; empty for a property of the object.
  var members: [MemberValue] = []
  /// The JSON that is written for all objects of the entity; nil for a property's value.
  var constant: String?
  /// Whether the discriminator of a to-one's object is written.
  var isKind = false
  /// Whether it is omitted if its value is already the key in a keyed collection.
  var isKey = false
  /// Whether members are written in an object with the keys `0`, `1` and so on.
  var isIndexed = false
  /// The position of the written element in the result of a reverse function; nil for the whole
  /// result.
  var part: Int?
  /// Attributes that are written into the object of this to-one, with their paths in it.
  ///
  /// As many outputs follow, which write the attributes if the to-one writes nothing.
  var merged: [OutputMapping] = []
  /// Whether the path is written as one key, with its dots.
  var isFlat = false

  /// Returns the same output, written under one key.
  func flat(key: String) -> OutputMapping {
    OutputMapping(
      position: position, path: JSONKeyPath(key: key), isKey: isKey, part: part, isFlat: true)
  }
}

/// The special features of reading and writing a property.
struct PropertyOptions: OptionSet, Sendable {
  let rawValue: UInt32

  /// Another mapping of the same property follows, and is tried if this one finds nothing.
  static let hasSuccessor = PropertyOptions(rawValue: 1)
  /// This mapping is tried only if the previous one found nothing.
  static let isSuccessor = PropertyOptions(rawValue: 2)
  /// Its value is the list of the values at all its paths.
  static let combines = PropertyOptions(rawValue: 4)
  /// Its last slot takes keys that ``EntityMapping/spelling`` assigns to it.
  static let hasSpellings = PropertyOptions(rawValue: 8)
  /// An object that is reached through this relationship does not read the inverse, a to-one.
  static let ignoresInverse = PropertyOptions(rawValue: 16)
  /// A record without identity fills the object that is already linked.
  static let reusesUnidentified = PropertyOptions(rawValue: 32)
  /// A member without identity is skipped if its entity has an identity.
  static let skipsUnidentified = PropertyOptions(rawValue: 64)
  /// Each record inserts a new member.
  static let alwaysInserts = PropertyOptions(rawValue: 128)
  /// An export omits it if it leads back to the object from which this one was reached.
  static let skipsWayBack = PropertyOptions(rawValue: 256)
  /// An export omits the relationship without a member, or if its object would be empty.
  static let omitsEmpty = PropertyOptions(rawValue: 512)
  /// An export always follows it, even to objects written before: rules limit the depth.
  static let isExplicit = PropertyOptions(rawValue: 1024)
  /// An export omits it without a value.
  static let omitsNull = PropertyOptions(rawValue: 2048)

  /// A list of members with both objects and identifiers is rejected.
  static let refusesMixedLists = PropertyOptions(rawValue: 4096)

  /// An annotation chooses whether it is written without a value.
  static let choosesNull = PropertyOptions(rawValue: 16384)
  /// Its value describes the place or the entity of an object, not the object itself.
  static let saysNothing = PropertyOptions(rawValue: 32768)
  /// Its value is the unmapped keys.
  static let isRest = PropertyOptions(rawValue: 8192)
  /// One of its paths begins at a place that many objects share.
  static let readsPlace = PropertyOptions(rawValue: 65536)

  /// The options of a step that does not simply read its first filled slot.
  static let special: PropertyOptions = [.hasSuccessor, .isSuccessor, .combines, .isRest]
}
