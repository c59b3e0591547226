/// The reading of one property.
struct StepPlan {
  var field: Field
  var conversion: Conversion
  var isIdentity: Bool
  var options: PropertyOptions
  /// Whether its token is not simply the first slot that is filled.
  var hasSpecialSlots: Bool
  /// Whether the relationship can lead to itself again.
  var isRecursive: Bool
  var hasConstraints: Bool
  var fastFill: FastFill
  /// Whether its text is that of the stored value: different values have different texts.
  var isWrittenAsStored: Bool
  /// Whether an export writes members as their identifiers.
  var writesIdentifiers: Bool
  var policies: Policies
  /// Where the record says of which entity the object of an identifier is, in ``Plan/kindPaths``; -1
  /// where it does not.
  var kind: Int32
  /// How the members of a to-many are arranged.
  var form: CollectionForm
  /// Whether its members may be written as scalars, or with a few attributes only.
  var isShaped = false
  /// Whether its members are written in an order of their own, or under keys.
  var isArranged = false
  /// Whether the order of its members means something.
  var isOrdered: Bool
  /// Whether its paths lead through other objects.
  var isDeep: Bool
  /// Whether its members read values of an object around them that is not the record itself.
  var readsAround = false
  /// Whether its members may have positions in the list.
  var hasIndexes = false
  /// Which attributes of its members are written, in ``Plan/partials``; -1 for all.
  var partial: Int32
  /// The slots of its key paths; the first that is filled counts.
  var firstSlot: Int32
  var slotCount: Int32
  /// How many of them hold identifiers only, and how many after these hold objects only.
  var identifierSlots: Int16
  var objectSlots: Int16
  /// Functions, or -1.
  var forward: Int32
  var reverse: Int32
  /// The plan of the entity a relationship leads to; -1 for attributes.
  var destination: PlanIndex
  var minimumCount: Int32
  var maximumCount: Int32
  /// The forms of its dates, or -1.
  var dateForms: Int32
  /// The side of the link it leads to, for leaving out the inverse of what is being followed.
  var link: LinkIndex

  /// Makes an empty text count as null: its slot is looked at before its value is.
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

/// The kinds of steps whose values go from the tape to records, and from there to text, with
/// nothing in between.
enum FastFill: UInt8 {
  case none, text, integer, real, boolean
}
