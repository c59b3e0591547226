/// Compiles checked descriptions to hierarchies, properties with their fields, and links.
struct ModelResolver {
  private let entities: [EntityDescription]
  private(set) var indexByName: NameMap<EntityIndex> = [:]
  private(set) var resolved: [ResolvedEntity] = []
  private(set) var hierarchies: [Hierarchy] = []
  private(set) var links: [LinkDefinition] = []

  private var childrenOf: [[EntityIndex]] = []
  private var parentOf: [EntityIndex?] = []
  private var hierarchyOf: [TableIndex] = []
  private var localOf: [Int] = []
  private var subtreeEndOf: [Int] = []
  private var membersOf: [[EntityIndex]] = []
  private var drafts: [[Draft]] = []
  private let workspaces = PatternWorkspaces()

  /// A property before its offset is known.
  private struct Draft {
    let name: String
    let entity: EntityIndex
    let kind: Property.Kind
    let storage: FieldStorage
    var link = LinkIndex.none
    var side = LinkSide.first
  }

  init(entities: [EntityDescription]) {
    self.entities = entities
    for (index, entity) in entities.numbered(by: EntityIndex.self) {
      indexByName[entity.name] = index
    }
    orderEntities()
    draftProperties()
    layOut()
  }

  private mutating func orderEntities() {
    childrenOf = Array(repeating: [], count: entities.count)
    var roots: [EntityIndex] = []
    parentOf = entities.map { entity in entity.parent.flatMap { indexByName[$0] } }
    for index in EntityIndex(0)..<EntityIndex(entities.count) {
      if let parent = parentOf[index] {
        childrenOf[parent].append(index)
      } else {
        roots.append(index)
      }
    }
    hierarchyOf = Array(repeating: TableIndex(0), count: entities.count)
    localOf = Array(repeating: 0, count: entities.count)
    subtreeEndOf = localOf
    for (hierarchy, root) in roots.numbered(by: TableIndex.self) {
      var order: [EntityIndex] = []
      var stack = [root]
      while let index = stack.popLast() {
        hierarchyOf[index] = hierarchy
        localOf[index] = order.count
        order.append(index)
        stack.append(contentsOf: childrenOf[index].reversed())
      }
      // Descendants come after their ancestor, so the last one ends the subtree.
      for index in order.reversed() {
        let last = childrenOf[index].last.map { subtreeEndOf[$0] }
        subtreeEndOf[index] = last ?? localOf[index]
      }
      membersOf.append(order)
    }
    drafts = Array(repeating: [], count: membersOf.count)
  }

  private mutating func draftProperties() {
    var numberOf: [NameMap<Int>] = Array(repeating: [:], count: entities.count)
    for (hierarchy, order) in membersOf.numbered(by: TableIndex.self) {
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
    for (index, entity) in entities.numbered(by: EntityIndex.self) {
      for relationship in entity.relationships {
        pair(relationship, of: index, numberOf: numberOf)
      }
    }
  }

  /// Makes the link of a relationship, unless its inverse has made it.
  private mutating func pair(
    _ relationship: RelationshipDescription, of index: EntityIndex, numberOf: [NameMap<Int>]
  ) {
    let hierarchy = hierarchyOf[index]
    guard let number = numberOf[index][relationship.name],
      drafts[hierarchy][number].link == .none,
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
    let near = LinkEnd(hierarchy: hierarchy, number: number, isOrdered: relationship.isOrdered)
    let far = LinkEnd(hierarchy: inverseHierarchy, number: other, isOrdered: inverseOrdered)
    let (kind, storages) = Self.storages(
      isToMany: relationship.isToMany, inverseToMany: inverseToMany)
    let nearIsFirst = kind != .oneToMany || storages.near == .toOne
    let link = LinkIndex(links.count)
    links.append(
      LinkDefinition(
        kind: kind, sides: nearIsFirst ? (near, far) : (far, near), isSymmetric: isSymmetric))
    assign(far, storage: storages.far, link: link, side: nearIsFirst ? .second : .first)
    assign(near, storage: storages.near, link: link, side: nearIsFirst ? .first : .second)
  }

  /// Returns the kind of link for two directions, and the storage of each direction.
  private static func storages(
    isToMany: Bool, inverseToMany: Bool
  ) -> (kind: LinkKind, storages: (near: FieldStorage, far: FieldStorage)) {
    switch (isToMany, inverseToMany) {
    case (false, false): (.oneToOne, (.oneToOne, .oneToOne))
    case (false, true): (.oneToMany, (.toOne, .memberList))
    case (true, false): (.oneToMany, (.memberList, .toOne))
    case (true, true): (.manyToMany, (.nodeList, .nodeList))
    }
  }

  private mutating func assign(
    _ end: LinkEnd, storage: FieldStorage, link: LinkIndex, side: LinkSide
  ) {
    let old = drafts[end.hierarchy][end.number]
    drafts[end.hierarchy][end.number] = Draft(
      name: old.name, entity: old.entity, kind: old.kind, storage: storage, link: link,
      side: side)
  }

  /// Assigns the offsets of all properties: an entity's fields begin at the end of its parent's.
  private mutating func layOut() {
    var entries: [ResolvedEntity?] = Array(repeating: nil, count: entities.count)
    var endOf = Array(repeating: 0, count: entities.count)
    for (hierarchy, order) in membersOf.numbered(by: TableIndex.self) {
      let count = drafts[hierarchy].count
      var offsets = Array(repeating: 0, count: count)
      var ownOf: [[Int]] = Array(repeating: [], count: order.count)
      for (number, draft) in drafts[hierarchy].enumerated() {
        ownOf[localOf[draft.entity]].append(number)
      }
      for (local, index) in order.enumerated() {
        let start = parentOf[index].map { endOf[$0] } ?? RecordLayout.fieldsOffset(count)
        endOf[index] = layOut(ownOf[local], in: hierarchy, from: start, offsets: &offsets)
      }
      let properties = drafts[hierarchy].enumerated().map { number, draft in
        property(draft, number: number, offset: offsets[number])
      }
      hierarchies.append(
        Hierarchy(
          entities: order, properties: properties,
          layout: RecordLayout(
            propertyCount: count, end: order.lazy.map { endOf[$0] }.max() ?? 0)))
      // A parent comes before its children.
      for (local, index) in order.enumerated() {
        entries[index] = resolve(
          index, parent: parentOf[index].flatMap { entries[$0] },
          own: ownOf[local].map { properties[$0] })
      }
    }
    resolved = entries.compactMap { $0 }
  }

  /// Assigns the offsets of an entity's own properties; returns the end of the last.
  ///
  /// The next is the widest property that does not leave a gap, or else the narrowest.
  private func layOut(
    _ own: [Int], in hierarchy: TableIndex, from start: Int, offsets: inout [Int]
  ) -> Int {
    var end = start
    var waiting = [8, 4, 1].map { alignment in
      own.filter { drafts[hierarchy][$0].storage.alignment == alignment }[...]
    }.filter { !$0.isEmpty }
    while let narrowest = waiting.indices.last {
      let fitting = waiting.firstIndex { numbers in
        numbers.first.map { end % drafts[hierarchy][$0].storage.alignment == 0 } ?? false
      }
      let queue = fitting ?? narrowest
      guard let number = waiting[queue].popFirst() else { break }
      if waiting[queue].isEmpty { waiting.remove(at: queue) }
      let storage = drafts[hierarchy][number].storage
      end = (end + storage.alignment - 1) / storage.alignment * storage.alignment
      offsets[number] = end
      end += storage.width
    }
    return end
  }

  private func property(_ draft: Draft, number: Int, offset: Int) -> Property {
    var type = AttributeType.transformable
    var isOptional = true
    var pattern: Pattern?
    var values: Set<Value>?
    switch draft.kind {
    case .attribute(let attribute):
      (type, isOptional) = (attribute.type, attribute.isOptional)
      pattern = attribute.constraints.pattern.flatMap { try? Pattern($0, workspaces: workspaces) }
      let listed = attribute.constraints.values
      if !listed.isEmpty { values = Set(listed.compactMap { $0.fitted(to: attribute.type) }) }
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
        side: draft.side), pattern: pattern, values: values)
  }

  /// Returns the resolved entity, with its own properties after those of its parent.
  private func resolve(
    _ index: EntityIndex, parent: ResolvedEntity?, own: [Property]
  ) -> ResolvedEntity {
    let local = localOf[index]
    let named = own.filter { !$0.name.isEmpty }
    var numberByName = parent?.numberByName ?? [:]
    for property in named { numberByName[property.name] = property.number }
    return ResolvedEntity(
      index: index, name: entities[index].name, isAbstract: entities[index].isAbstract,
      parent: parentOf[index], hierarchy: hierarchyOf[index],
      localIndex: UInt16(clamping: local),
      subtree: UInt16(clamping: local)...UInt16(clamping: subtreeEndOf[index]),
      attributes: (parent?.attributes ?? [])
        + named.filter { $0.attribute != nil }.map(\.number),
      relationships: (parent?.relationships ?? [])
        + named.filter { $0.relationship != nil }.map(\.number),
      numberByName: numberByName,
      propertyNames: (parent?.propertyNames ?? []) + named.map(\.name))
  }
}
