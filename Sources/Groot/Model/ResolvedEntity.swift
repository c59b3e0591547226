/// An entity with its position in its hierarchy and all its properties, inherited ones included.
struct ResolvedEntity: Sendable {
  let index: EntityIndex
  let name: String
  let isAbstract: Bool
  let parent: EntityIndex?
  /// The number of its hierarchy, which is also the number of its table.
  let hierarchy: TableIndex
  /// Its position in the hierarchy, counted in pre-order, so that a subtree is a range.
  let localIndex: UInt16
  /// The local indexes of itself and all its descendants.
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
  /// The description of a property; boxed, since properties are copied more often than looked into.
  indirect enum Kind: Sendable {
    case attribute(AttributeDescription)
    case relationship(RelationshipDescription)
    /// The other direction of a relationship that declares none; it has no name.
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
  /// The values that there are, in the form of the attribute's type; nil for all.
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

/// How the two directions of a relationship are kept.
enum LinkKind: UInt8, Sendable {
  /// Each side holds the other's row.
  case oneToOne
  /// The "one" side's members are a list threaded through the records of the "many" side.
  case oneToMany
  /// Links are nodes of their own, threaded into a list on each side.
  case manyToMany
}

/// A relationship and its inverse, which always agree.
///
/// Side 0 of a oneToMany is the to-one direction: the record that holds the list's threads.
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
