/// The reading of one property.
struct StepPlan {
  var field: Field
  var conversion: Conversion
  var isIdentity: Bool
  var options: PropertyOptions
  /// Whether reading its token needs more than the first filled slot.
  var hasSpecialSlots: Bool
  /// Whether the relationship can lead back to itself.
  var isRecursive: Bool
  var hasConstraints: Bool
  var fastFill: FastFill
  /// Whether its text is that of the stored value: different values have different texts.
  var isWrittenAsStored: Bool
  /// Whether an export writes members as their identifiers.
  var writesIdentifiers: Bool
  var policies: Policies
  /// The path of the discriminator beside an identifier, in ``Plan/kindPaths``; -1 without one.
  var kind: Int32
  /// The form of the members of a to-many.
  var form: CollectionForm
  /// Whether its members may be written as scalars or partial objects.
  var isShaped = false
  /// Whether an export writes its objects in full, unless their states or limits say otherwise.
  var isDirect = false
  /// Whether its members are written by position or under keys.
  var isArranged = false
  /// Whether the order of its members is part of the value.
  var isOrdered: Bool
  /// Whether its paths lead through other objects.
  var isDeep: Bool
  /// Whether its members read values of an enclosing object that is not the record itself.
  var readsAround = false
  /// Whether its members may have positions in the list.
  var hasIndexes = false
  /// The properties with which members are written, in ``Plan/partials``; -1 for all.
  var partial: Int32
  /// The slots of its key paths; the first filled one counts.
  var firstSlot: Int32
  var slotCount: Int32
  /// The number of slots for identifiers only, and of the slots after these for objects only.
  var identifierSlots: Int16
  var objectSlots: Int16
  /// The numbers of functions, or -1.
  var forward: Int32
  var reverse: Int32
  /// The plan of a relationship's destination; -1 for attributes.
  var destination: PlanIndex
  var minimumCount: Int32
  var maximumCount: Int32
  /// The number of its date formats, or -1.
  var dateForms: Int32
  /// The link of the relationship, by which the inverse of a followed relationship is recognized.
  var link: LinkIndex

  /// Makes an empty text count as null, which needs a look at its slot before its value.
  mutating func readEmptyAsNull() {
    hasSpecialSlots = true
    fastFill = .none
  }

  /// The direction of the relationship.
  var direction: LinkDirection {
    @inline(__always) get { LinkDirection(link: link, side: field.side) }
  }

  /// Whether an import checks values against the limits of the attribute.
  var checksLimits: Bool {
    @inline(__always) get { hasConstraints && policies.validation == .import }
  }
}

/// The kinds of steps whose values need no more than a check on the way from the tape to records.
enum FastFill: UInt8 {
  case none, text, integer16, integer32, integer64, real, boolean, date
}
