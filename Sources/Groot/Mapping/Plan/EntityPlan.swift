/// The plan of one entity.
struct EntityPlan {
  /// The entity, as a position in the model.
  var entity: EntityIndex
  /// Whether objects of its sub-entities use this plan instead of their own.
  var isFixed: Bool
  /// Whether JSON has only identifiers of its objects.
  var takesIdentifiersOnly: Bool
  /// Whether its identity is only a foreign key, by which records of the entity are not found.
  var isForeignKey: Bool
  /// The number of slots of attributes; they come first.
  var attributeSlots: Int32
  /// Whether objects of several entities can share its identity.
  var hasKinds: Bool
  /// Whether a missing key inside an existing object counts as null.
  var clearsMissingLeaves: Bool
  /// Whether key paths continue in each element of an array.
  var entersArrays: Bool
  /// Whether unmapped keys may be other spellings of mapped ones.
  var hasSpellings: Bool
  /// Whether a record without identity is skipped, with a note in the report.
  var notesUnidentified: Bool
  var table: TableIndex
  var localIndex: UInt16
  /// The local index of the last entity in its subtree.
  var lastLocalIndex: UInt16
  var isAbstract: Bool
  /// Whether its objects have relationships, whose nested objects are processed separately.
  var hasRelationships: Bool
  /// Whether its identity includes a relationship.
  var isScoped: Bool
  /// Whether its relationships can lead back to the entity.
  var isRecursive: Bool
  /// The parent node of the keys of an object.
  var root: Int32
  /// The first node of paths that do not begin at the object, see ``Place/Part``; -1 without one.
  var places: Int32
  /// A bit for each ``Place/Part`` at which paths begin.
  var usedPlaces: UInt8
  /// Whether a scalar can be an object.
  var takesScalars: Bool
  /// Whether an array can be an object.
  var takesArrays: Bool
  /// The position of its discriminator in ``Plan/discriminators`` and of its mark of deletion in
  /// ``Plan/tombstones``; -1 without one.
  var discriminator: Int32
  var tombstone: Int32
  /// The step of the attribute with the version of a record; -1 without one.
  var version: Int32
  var takesEqualVersion: Bool
  /// The attribute that is set instead of deleting; nil without one.
  var deletionMark: Field?
  /// Whether filling an existing object depends on its version or its deletion mark.
  var hasHistory: Bool { @inline(__always) get { version >= 0 || deletionMark != nil } }
  /// The treatment of unmapped keys by an import; nil for the import's option.
  var unknownKeys: UnknownKeys?
  /// The steps for a scalar that is an object, for the key in a keyed collection, and for the
  /// position in a list; -1 without one.
  var valueStep: Int32
  var keyStep: Int32
  var indexStep: Int32
  /// The slot of the key step that a path `@key` fills; -1 without one.
  var keySlot: Int32
  /// Whether the key is read as text, not as a number or a truth value.
  var keyIsText: Bool
  /// Whether its identity is only the key in a keyed collection.
  var identifiesByKey: Bool
  /// Whether it reads values of the object that encloses its JSON.
  var readsParent: Bool
  /// The values that an export writes around each member of a list, in ``Plan/arounds``.
  var firstAround: Int32
  var aroundCount: Int32
  /// The step of the attribute with the unmapped keys; -1 without one.
  var restStep: Int32
  var hasRest: Bool { @inline(__always) get { restStep >= 0 } }
  /// Whether an export writes the discriminator of the entity.
  var writesKind: Bool
  var slotCount: Int32
  /// The slot of an attribute that is not part of the identity or the place; -1 without one.
  var contentSlot: Int32
  /// Its steps, attributes first.
  var firstStep: Int32
  var stepCount: Int32
  /// The number of steps of attributes.
  var attributeCount: Int32
  var firstIdentity: Int32
  var identityCount: Int32
  /// The numbers of functions, or -1.
  var entityMapper: Int32
  var dictionaryTransformer: Int32
  /// The first of its output ranges, one for each variant.
  var firstRange: Int32
  /// Whether a nested record with the text of an earlier one sets nothing and calls no function.
  var isRepeatable = false
  /// Whether its unmapped keys are stored as they are, which an import can then write at once.
  var hasPlainRest = false
}

/// The outputs of an entity in one variant.
struct OutputRange {
  var first: Int32
  var count: Int32
  /// Whether the outputs are the elements of an array.
  var isPositional: Bool
  /// Whether all outputs are plain attributes, which are copied from the record.
  var isDirect = false
  /// The outputs of an object that is written as its identity.
  var firstOfIdentity: Int32
  var identityCount: Int32
  /// Whether they include the whole identity, by which an import finds the object.
  var hasWholeIdentity: Bool
  /// Whether finding the object needs its key in a collection, and its position in a list.
  var needsKey: Bool
  var needsIndex: Bool
}
