/// Turns checked descriptions into hierarchies, properties with their fields, and links.
struct ModelResolver {
  private let entities: [EntityDescription]
  private(set) var indexByName: [String: Int] = [:]
  private(set) var resolved: [ResolvedEntity] = []
  private(set) var hierarchies: [Hierarchy] = []
  private(set) var links: [LinkDefinition] = []

  private var childrenOf: [[Int]] = []
  private var hierarchyOf: [Int] = []
  private var localOf: [Int] = []
  private var subtreeEndOf: [Int] = []
  private var membersOf: [[Int]] = []
  private var drafts: [[Draft]] = []
  private let workspaces = PatternWorkspaces()

  /// A property before its offset is known.
  private struct Draft {
    let name: String
    let entity: Int
    let kind: Property.Kind
    let storage: FieldStorage
    var link: Int32 = -1
    var side: UInt8 = 0
  }

  init(entities: [EntityDescription]) {
    self.entities = entities
    for (index, entity) in entities.enumerated() { indexByName[entity.name] = index }
    orderEntities()
    draftProperties()
    layOut()
  }

  private mutating func orderEntities() {
    childrenOf = Array(repeating: [], count: entities.count)
    var roots: [Int] = []
    for (index, entity) in entities.enumerated() {
      if let parent = entity.parent.flatMap({ indexByName[$0] }) {
        childrenOf[parent].append(index)
      } else {
        roots.append(index)
      }
    }
    hierarchyOf = Array(repeating: 0, count: entities.count)
    localOf = hierarchyOf
    subtreeEndOf = hierarchyOf
    for (hierarchy, root) in roots.enumerated() {
      var order: [Int] = []
      var stack = [root]
      while let index = stack.popLast() {
        hierarchyOf[index] = hierarchy
        localOf[index] = order.count
        order.append(index)
        stack.append(contentsOf: childrenOf[index].reversed())
      }
      // Descendants stand behind their ancestor, so the last one seen ends the subtree.
      for index in order.reversed() {
        let last = childrenOf[index].last.map { subtreeEndOf[$0] }
        subtreeEndOf[index] = last ?? localOf[index]
      }
      membersOf.append(order)
    }
    drafts = Array(repeating: [], count: membersOf.count)
  }

  private mutating func draftProperties() {
    var numberOf: [[String: Int]] = Array(repeating: [:], count: entities.count)
    for (hierarchy, order) in membersOf.enumerated() {
      for index in order {
        for attribute in entities[index].attributes {
          numberOf[index][attribute.name] = drafts[hierarchy].count
          drafts[hierarchy].append(
            Draft(
              name: attribute.name, entity: index, kind: .attribute(attribute),
              storage: FieldStorage(attribute.type)))
        }
        for relationship in entities[index].relationships {
          numberOf[index][relationship.name] = drafts[hierarchy].count
          drafts[hierarchy].append(
            Draft(
              name: relationship.name, entity: index, kind: .relationship(relationship),
              storage: .oneToOne))
        }
      }
    }
    for (index, entity) in entities.enumerated() {
      for relationship in entity.relationships {
        pair(relationship, of: index, numberOf)
      }
    }
  }

  /// Makes the link of a relationship, unless its inverse has made it already.
  private mutating func pair(
    _ relationship: RelationshipDescription, of index: Int, _ numberOf: [[String: Int]]
  ) {
    let hierarchy = hierarchyOf[index]
    guard let number = numberOf[index][relationship.name],
      drafts[hierarchy][number].link < 0,
      let destination = indexByName[relationship.destination]
    else { return }
    let inverseNumber = relationship.inverse.flatMap { numberOf[destination][$0] }
    let inverseHierarchy = hierarchyOf[destination]
    let isSymmetric = inverseHierarchy == hierarchy && inverseNumber == number
    let other: Int
    if let inverseNumber {
      other = inverseNumber
    } else {
      other = drafts[inverseHierarchy].count
      drafts[inverseHierarchy].append(
        Draft(name: "", entity: destination, kind: .hidden, storage: .oneToOne))
    }
    let inverse = drafts[inverseHierarchy][other].kind
    var inverseToMany = true
    var inverseOrdered = false
    if case .relationship(let description) = inverse {
      inverseToMany = description.isToMany
      inverseOrdered = description.isOrdered
    }
    let near = LinkSide(hierarchy: hierarchy, number: number, isOrdered: relationship.isOrdered)
    let far = LinkSide(hierarchy: inverseHierarchy, number: other, isOrdered: inverseOrdered)
    let storages: (near: FieldStorage, far: FieldStorage)
    let kind: LinkKind
    switch (relationship.isToMany, inverseToMany) {
    case (false, false): (kind, storages) = (.oneToOne, (.oneToOne, .oneToOne))
    case (false, true): (kind, storages) = (.oneToMany, (.toOne, .memberList))
    case (true, false): (kind, storages) = (.oneToMany, (.memberList, .toOne))
    case (true, true): (kind, storages) = (.manyToMany, (.nodeList, .nodeList))
    }
    let nearIsFirst = kind != .oneToMany || storages.near == .toOne
    let link = Int32(links.count)
    links.append(
      LinkDefinition(
        kind: kind, sides: nearIsFirst ? (near, far) : (far, near), isSymmetric: isSymmetric))
    assign(far, storages.far, link, nearIsFirst ? 1 : 0)
    assign(near, storages.near, link, nearIsFirst ? 0 : 1)
  }

  private mutating func assign(
    _ side: LinkSide, _ storage: FieldStorage, _ link: Int32, _ number: UInt8
  ) {
    let old = drafts[side.hierarchy][side.number]
    drafts[side.hierarchy][side.number] = Draft(
      name: old.name, entity: old.entity, kind: old.kind, storage: storage, link: link,
      side: number)
  }

  /// Gives every property its offset: an entity's fields begin where its parent's end.
  private mutating func layOut() {
    var entries: [ResolvedEntity?] = Array(repeating: nil, count: entities.count)
    for (hierarchy, order) in membersOf.enumerated() {
      let count = drafts[hierarchy].count
      var offsets = Array(repeating: 0, count: count)
      var endOf: [Int: Int] = [:]
      for index in order {
        let parent = entities[index].parent.flatMap { indexByName[$0] }
        var end = parent.flatMap { endOf[$0] } ?? RecordLayout.fieldsOffset(count)
        var left = (0..<count).filter { drafts[hierarchy][$0].entity == index }
        // The widest that leaves no gap where the last one ended, else the one that leaves the least.
        left.sort {
          let (one, other) = (drafts[hierarchy][$0].storage, drafts[hierarchy][$1].storage)
          return one.alignment != other.alignment ? one.alignment > other.alignment : $0 < $1
        }
        while !left.isEmpty {
          let fitting = left.firstIndex { end % drafts[hierarchy][$0].storage.alignment == 0 }
          let number = left.remove(at: fitting ?? left.count - 1)
          let storage = drafts[hierarchy][number].storage
          end = (end + storage.alignment - 1) / storage.alignment * storage.alignment
          offsets[number] = end
          end += storage.width
        }
        endOf[index] = end
      }
      let properties = drafts[hierarchy].enumerated().map { number, draft in
        property(draft, number: number, offset: offsets[number])
      }
      hierarchies.append(
        Hierarchy(
          entities: order, properties: properties,
          layout: RecordLayout(propertyCount: count, end: endOf.values.max() ?? 0)))
      for index in order {
        entries[index] = resolve(index, properties)
      }
    }
    resolved = entries.compactMap { $0 }
  }

  private func property(_ draft: Draft, number: Int, offset: Int) -> Property {
    var type = AttributeType.transformable
    var isOptional = true
    var pattern: Pattern?
    switch draft.kind {
    case .attribute(let attribute):
      (type, isOptional) = (attribute.type, attribute.isOptional)
      pattern = attribute.constraints.pattern.flatMap { try? Pattern($0, workspaces) }
    case .relationship(let relationship): isOptional = relationship.isOptional
    case .hidden: break
    }
    return Property(
      number: number, name: draft.name, entity: draft.entity, kind: draft.kind,
      field: Field(
        storage: draft.storage, type: type, isOptional: isOptional,
        number: UInt16(clamping: number),
        offset: UInt32(clamping: offset), firstEntity: UInt16(clamping: localOf[draft.entity]),
        lastEntity: UInt16(clamping: subtreeEndOf[draft.entity]), link: draft.link,
        side: draft.side), pattern: pattern)
  }

  private func resolve(_ index: Int, _ properties: [Property]) -> ResolvedEntity {
    let local = localOf[index]
    let own = properties.filter {
      Int($0.field.firstEntity) <= local && local <= Int($0.field.lastEntity)
    }
    let named = own.filter { !$0.name.isEmpty }
    return ResolvedEntity(
      index: index, name: entities[index].name, isAbstract: entities[index].isAbstract,
      parent: entities[index].parent.flatMap { indexByName[$0] }, hierarchy: hierarchyOf[index],
      localIndex: UInt16(clamping: local),
      subtree: UInt16(clamping: local)...UInt16(clamping: subtreeEndOf[index]),
      attributes: named.filter { $0.attribute != nil }.map(\.number),
      relationships: named.filter { $0.relationship != nil }.map(\.number),
      numberByName: Dictionary(named.map { ($0.name, $0.number) }, uniquingKeysWith: { $1 }),
      propertyNames: named.map(\.name))
  }
}
