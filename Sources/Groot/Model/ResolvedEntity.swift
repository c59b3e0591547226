/// An entity with its position in its hierarchy and all its properties, including inherited ones.
struct ResolvedEntity: Sendable {
  let index: EntityIndex
  let name: String
  let isAbstract: Bool
  let parent: EntityIndex?
  /// The number of its hierarchy, which is also the number of its table.
  let hierarchy: TableIndex
  /// Its position in the hierarchy, in pre-order, so that a subtree is a range.
  let localIndex: UInt16
  /// The local indexes of the entity and its descendants.
  let subtree: ClosedRange<UInt16>
  /// The numbers of its attributes, those of the root first.
  let attributes: [Int]
  /// The numbers of its relationships, those of the root first.
  let relationships: [Int]
  let numberByName: NameMap<Int>
  let propertyNames: [String]
}

/// A hierarchy: a root entity and all its descendants, whose objects share one table.
struct Hierarchy: Sendable {
  /// The entities' positions in the model, by local index.
  let entities: [EntityIndex]
  /// All properties of all its entities; a property's number is its position.
  let properties: [Property]
  let layout: RecordLayout
}

/// An attribute or relationship with its position in the records of its hierarchy.
struct Property: Sendable {
  /// The description of a property; boxed, because properties are copied more often than read.
  indirect enum Kind: Sendable {
    case attribute(AttributeDescription)
    case relationship(RelationshipDescription)
    /// The unnamed inverse of a relationship without a declared one.
    case hidden
  }

  let number: Int
  let name: String
  /// The entity that declares it, as a position in the model.
  let entity: EntityIndex
  let kind: Kind
  let field: Field
  /// The pattern that the whole text of a value must match.
  let pattern: Pattern?
  /// The allowed values, in the form of the attribute's type; nil without a limit.
  let values: Set<Value>?

  var attribute: AttributeDescription? {
    if case .attribute(let attribute) = kind { attribute } else { nil }
  }
  var relationship: RelationshipDescription? {
    if case .relationship(let relationship) = kind { relationship } else { nil }
  }
  var userInfo: NameMap<String> {
    switch kind {
    case .attribute(let attribute): attribute.userInfo
    case .relationship(let relationship): relationship.userInfo
    case .hidden: [:]
    }
  }
  var isOptional: Bool {
    switch kind {
    case .attribute(let attribute): attribute.isOptional
    case .relationship(let relationship): relationship.isOptional
    case .hidden: true
    }
  }
}

/// The storage of a relationship's two directions.
enum LinkKind: UInt8, Sendable {
  /// Each side holds the other's row.
  case oneToOne
  /// The members of the "one" side are a list through the records of the "many" side.
  case oneToMany
  /// Each link is a node in a list of each side.
  case manyToMany
}

/// A relationship and its inverse, which are always consistent.
///
/// Side 0 of a oneToMany is the to-one direction, whose records have the list's pointers.
struct LinkDefinition: Sendable {
  let kind: LinkKind
  let sides: (LinkEnd, LinkEnd)
  /// Whether the relationship is its own inverse; both sides are then the same.
  let isSymmetric: Bool
}

/// One direction of a relationship.
struct LinkEnd: Sendable {
  let hierarchy: TableIndex
  let number: Int
  let isOrdered: Bool
}
