/// The relation of JSON and the objects of one entity; a dialect compiles annotations or rules to
/// it.
struct EntityMapping: Sendable {
  /// The entity, as a position in the model.
  let entity: EntityIndex
  /// Whether objects of its sub-entities are read and written by this mapping too, and not by their
  /// own: so it is with what a rule says about the objects of one relationship.
  var isFixed = false
  /// Whether only identifiers stand for its objects.
  var takesIdentifiersOnly = false
  /// Whether the identity is a key that other objects use, and not what records are found by.
  var isForeignKey = false
  /// The numbers of the attributes that identify an object; empty when nothing does.
  var identity: [Int] = []
  /// Whether a record without identity is left out, which the report notes.
  var notesUnidentified = false
  /// Runs on the JSON object before anything reads it.
  var dictionaryTransformer: TransformerRegistry.TapeTransform?
  /// Which name that transformer has, to tell whether another entity's is the same.
  var dictionaryTransformerName: String?
  /// Chooses the entity of a new object.
  var entityMapper: TransformerRegistry.TapeTransform?
  var entityMapperName: String?
  /// Attributes first, then relationships; the steps of one property side by side.
  var properties: [PropertyMapping] = []
  /// Finds the property that an unmapped key belongs to.
  var spelling: KeySpelling?
  /// Whether a missing key inside an existing object counts as null.
  var clearsMissingLeaves = false
  /// Whether key paths lead on from each element of an array.
  var entersArrays = true
  /// Whether keys that are numbers are positions when the data is an array.
  var isPositional = false
  /// Which value in JSON chooses the entity; nil when none does.
  var discriminator: DiscriminatorMapping?
  /// The entity whose annotation that is.
  var discriminatorBase: EntityIndex?
  /// The value that stands for this entity; nil when none does.
  var discriminatorValue: String?
  /// The number of the attribute that says how new a record is; nil when none does.
  var version: Int?
  /// Whether a record with the version that the object has changes it.
  var takesEqualVersion = false
  /// Which value means that an object is to be deleted; nil when none does.
  var tombstone: TombstoneMapping?
  /// The number of the attribute that a deletion may set instead; nil when there is none.
  var deletionMark: Int?
  /// The treatment of unmapped keys by an import; nil for that of the call.
  var unknownKeys: UnknownKeys?
  /// Paths in its objects whose values no property takes, and which are known all the same.
  var knownPaths: [JSONKeyPath] = []
  /// The outputs, for each ``ExportVariant`` of the mapping.
  var outputs: [[OutputMapping]] = []
}

/// The position in ``EntityMapping/properties`` that a key is another spelling of; nil for none.
typealias KeySpelling = @Sendable (String) -> Int?

/// How one property is read; several for one property are tried in their order.
struct PropertyMapping: Sendable {
  let property: Property
  /// The places of its value; the first existing one wins.
  ///
  /// Paths to identifiers come first, then ``objectCount`` paths to objects, then those to either.
  var inputs: [JSONKeyPath]
  /// How many of the paths lead to identifiers of a relationship's members only.
  var identifierCount = 0
  /// How many of the paths lead to objects only.
  var objectCount = 0
  var conversion = Conversion.plain
  /// The forms of its dates or days, where an annotation says them.
  var dateForms: DateForms?
  var forward: TransformerRegistry.TapeTransform?
  var reverse: TransformerRegistry.TapeTransform?
  var transformerName: String?
  /// The mapping that JSON under a relationship is imported by.
  var destination = PlanIndex.none
  /// Whether an export writes members as their identifiers.
  var writesIdentifiers = false
  /// The numbers of the properties that members are written with; empty is all that they have.
  var exportProperties: Set<Int> = []
  /// Where the record that has a to-one says of which entity its object is, which an identifier names.
  var kindPath: JSONKeyPath?
  /// How the members of a to-many are arranged.
  var form = CollectionForm.array
  var options: PropertyOptions = []
  var policies = Policies()
}

/// A value of the object around that only its members have.
struct MemberValue: Equatable, Sendable {
  /// The position of the relationship in ``EntityMapping/properties``.
  let relationship: Int
  /// The number of the attribute in the hierarchy of the members.
  let number: Int
}

/// Where one property is written.
struct OutputMapping: Equatable, Sendable {
  /// The position in ``EntityMapping/properties``; -1 of a constant.
  var position: Int
  let path: JSONKeyPath
  /// The values of members that are written; empty for a value of the object.
  var members: [MemberValue] = []
  /// The JSON that is written, the same for all objects of the entity; nil for a property's value.
  var constant: String?
  /// Whether the value is written that stands for the entity of the object that a to-one leads to.
  var isKind = false
  /// Whether it is left out where its value is the key of a collection.
  var isKey = false
  /// Whether members are written in an object with the keys `0`, `1` and so on.
  var isIndexed = false
  /// Which element of what a reverse function gives is written here; nil is all of it.
  var part: Int?
  /// Attributes that are written into the object of this to-one, by their paths in it.
  ///
  /// As many outputs follow that write them where the to-one writes nothing.
  var merged: [OutputMapping] = []
  /// Whether the path is written as one key, with its dots.
  var isFlat = false

  /// The same, written under one key.
  func flat(key: String) -> OutputMapping {
    OutputMapping(
      position: position, path: JSONKeyPath(key: key), isKey: isKey, part: part, isFlat: true)
  }
}

/// The differences between the reading and writing of a property and the usual way.
struct PropertyOptions: OptionSet, Sendable {
  let rawValue: UInt32

  /// Another mapping of the same property follows, to be tried where this one finds nothing.
  static let hasSuccessor = PropertyOptions(rawValue: 1)
  /// It is tried only where the one before found nothing.
  static let isSuccessor = PropertyOptions(rawValue: 2)
  /// Its value is the list of what all its paths lead to.
  static let combines = PropertyOptions(rawValue: 4)
  /// Its last slot is for keys that ``EntityMapping/spelling`` assigns to it.
  static let hasSpellings = PropertyOptions(rawValue: 8)
  /// An object that is reached along this relationship does not read its inverse, a to-one.
  static let ignoresInverse = PropertyOptions(rawValue: 16)
  /// An object without identity fills the one that is linked already.
  static let reusesUnidentified = PropertyOptions(rawValue: 32)
  /// A member without identity is left out where the entity has one.
  static let skipsUnidentified = PropertyOptions(rawValue: 64)
  /// Each object makes a new member.
  static let alwaysInserts = PropertyOptions(rawValue: 128)
  /// An export leaves it out where it leads back to where the object was reached from.
  static let skipsWayBack = PropertyOptions(rawValue: 256)
  /// An export leaves it out where there is no object, or one without any member.
  static let omitsEmpty = PropertyOptions(rawValue: 512)
  /// An export follows it whatever was written before: rules bound how far.
  static let isExplicit = PropertyOptions(rawValue: 1024)
  /// An export leaves it out where there is no value.
  static let omitsNull = PropertyOptions(rawValue: 2048)

  /// A list of members that holds objects and identifiers is refused.
  static let refusesMixedLists = PropertyOptions(rawValue: 4096)

  /// An annotation says whether it is written where there is no value.
  static let choosesNull = PropertyOptions(rawValue: 16384)
  /// Its value says where the object stands, or of which entity it is, and nothing of it.
  static let saysNothing = PropertyOptions(rawValue: 32768)
  /// It has the unmapped keys.
  static let isRest = PropertyOptions(rawValue: 8192)
  /// A path of it begins at a place that many objects have in common.
  static let readsPlace = PropertyOptions(rawValue: 65536)

  /// The ways in which a step differs from the reading of its first existing slot.
  static let special: PropertyOptions = [.hasSuccessor, .isSuccessor, .combines, .isRest]
}
