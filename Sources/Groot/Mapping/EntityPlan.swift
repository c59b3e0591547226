/// The plan of one entity.
struct EntityPlan {
  /// The entity, as a position in the model.
  var entity: EntityIndex
  /// Whether objects of its sub-entities use this plan too.
  var isFixed: Bool
  /// Whether only identifiers stand for its objects.
  var takesIdentifiersOnly: Bool
  /// Whether its identity is a key that other objects use, and not what records are found by.
  var isForeignKey: Bool
  /// How many of its slots belong to attributes; they come first.
  var attributeSlots: Int32
  /// Whether objects of several entities can have its identity.
  var hasKinds: Bool
  /// Whether a missing key inside an existing object counts as null.
  var clearsMissingLeaves: Bool
  /// Whether key paths lead on from each element of an array.
  var entersArrays: Bool
  /// Whether unmapped keys may be other spellings of mapped ones.
  var hasSpellings: Bool
  /// Whether a record without identity is left out, which the report notes.
  var notesUnidentified: Bool
  var table: TableIndex
  var localIndex: UInt16
  /// The local index of the last entity of its subtree.
  var lastLocalIndex: UInt16
  var isAbstract: Bool
  /// Whether objects nested in one of this entity need work of their own.
  var hasRelationships: Bool
  /// Whether a relationship is a part of its identity.
  var isScoped: Bool
  /// Whether its relationships can lead back to one of its objects.
  var isRecursive: Bool
  /// The node under which the keys of an object hang.
  var root: Int32
  /// The first node of paths that begin elsewhere than at the object, see ``Place/Part``; -1 when
  /// none does.
  var places: Int32
  /// A bit for each ``Place/Part`` at which paths begin.
  var usedPlaces: UInt8
  /// Whether a scalar stands for an object.
  var takesScalars: Bool
  /// Whether an array stands for an object.
  var takesArrays: Bool
  /// The number of what chooses its entity in ``Plan/discriminators``, and of what means a deletion in
  /// ``Plan/tombstones``; -1 for none.
  var discriminator: Int32
  var tombstone: Int32
  /// The step of the attribute that says how new a record is; -1 for none.
  var version: Int32
  var takesEqualVersion: Bool
  /// The attribute that a deletion may set instead; nil for none.
  var deletionMark: Field?
  /// Whether an existing object may not be filled just so.
  var hasHistory: Bool { @inline(__always) get { version >= 0 || deletionMark != nil } }
  /// The treatment of unmapped keys by an import; nil for that of the call.
  var unknownKeys: UnknownKeys?
  /// The steps of what stands for an object where a scalar does, of the key in a keyed collection, and
  /// of the position in a list; -1 for none.
  var valueStep: Int32
  var keyStep: Int32
  var indexStep: Int32
  /// The slot of the key step that a path `@key` fills; -1 when none does.
  var keySlot: Int32
  /// Whether the key is read as text, and not as the number or truth value that it is the text of.
  var keyIsText: Bool
  /// Whether the key of a keyed collection is all of its identity.
  var identifiesByKey: Bool
  /// Whether it reads values of the object around its JSON.
  var readsParent: Bool
  /// Those that an export writes around each member of a list, in ``Plan/arounds``.
  var firstAround: Int32
  var aroundCount: Int32
  /// The step of the attribute that has the unmapped keys; -1 for none.
  var restStep: Int32
  var hasRest: Bool { @inline(__always) get { restStep >= 0 } }
  /// Whether an export writes the value that stands for the entity.
  var writesKind: Bool
  var slotCount: Int32
  /// The slot of an attribute that no object is named by; -1 for none.
  var contentSlot: Int32
  /// Its steps: attributes first.
  var firstStep: Int32
  var stepCount: Int32
  var firstIdentity: Int32
  var identityCount: Int32
  /// Functions, or -1.
  var entityMapper: Int32
  var dictionaryTransformer: Int32
  /// Where its ranges of outputs begin, one for each variant.
  var firstRange: Int32
}

/// The outputs of an entity in one variant.
struct OutputRange {
  var first: Int32
  var count: Int32
  /// Whether an array is written, of values in the order of the outputs.
  var isPositional: Bool
  /// The outputs of an object that is written as its identity.
  var firstOfIdentity: Int32
  var identityCount: Int32
  /// Whether these have all attributes of the identity, so that an import can find it.
  var hasWholeIdentity: Bool
  /// Whether it is found only where it has a key, and only where it has a position in a list.
  var needsKey: Bool
  var needsIndex: Bool
}
