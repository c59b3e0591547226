/// The migration of a store from one model to another, with its obstacles and losses.
///
/// Entities and properties of both models correspond if they have the same name, or if the old name
/// is the renaming identifier of the new one. Parts of only the old model are dropped. Parts of
/// only the new model are empty or have their default. Names are compared by their bytes.
package struct StoreMigration {
  /// The source of a table's objects.
  package struct TableSource {
    /// The old table.
    package let table: TableIndex
    /// The entities whose objects stay, by their indexes in the models.
    let pairs: [(old: EntityIndex, new: EntityIndex)]
    /// The names of these entities.
    package let entities: [(old: String, new: String)]
    /// The source of each new column.
    package let columns: [ColumnSource]
  }

  /// The source of a column's values.
  package enum ColumnSource {
    /// An old column by its position, whose values become those of the new type.
    case column(Int)
    /// A value for the objects of these new entities, and none for other objects.
    case value(Value, AttributeType, entities: [String])
  }

  /// The source of a join's links.
  package struct JoinSource {
    package let join: Int
    /// Whether source and target are swapped.
    package let isSwapped: Bool
  }

  /// The sources by new table; nil for a table that begins empty.
  package private(set) var tables: [TableSource?] = []
  /// The sources by new join; nil for a join that begins empty.
  package private(set) var joins: [JoinSource?] = []
  /// The issues of changes that cannot be migrated.
  package private(set) var obstacles: [GrootIssue] = []
  /// The issues of parts that the new model cannot hold.
  package internal(set) var losses: [GrootIssue] = []

  let old: StoreSchema
  let new: StoreSchema
  let content: any StoreContent
  /// The old entities by new entity.
  private(set) var oldEntity: [EntityIndex?] = []

  package init(
    from old: StoreSchema, to new: StoreSchema, content: any StoreContent
  ) throws {
    self.old = old
    self.new = new
    self.content = content
    var byName: [Name: EntityIndex] = [:]
    for (number, entity) in old.model.entities.numbered(by: EntityIndex.self) {
      byName[Name(entity.name)] = number
    }
    oldEntity = new.model.entities.map { entity in
      byName[Name(entity.name)]
        ?? entity.renamingIdentifier.flatMap { byName[Name($0)] }
    }
    guard old.model.entities.isEmpty || oldEntity.contains(where: { $0 != nil }) else {
      let names = old.model.entities.prefix(5).map { "'\($0.name)'" }.joined(separator: ", ")
      let reason = "this model has nothing in common with that of the store, whose entities are "
      let issue = GrootIssue(
        .storeModel, reason + names + (old.model.entities.count > 5 ? " and others" : ""))
      // It is probably the wrong store; one without objects has only its tables to lose.
      let isEmpty = try old.tables.numbered(by: TableIndex.self).allSatisfy {
        try content.objectCount($0, of: $1.entities) == 0
      }
      guard isEmpty else {
        obstacles.append(issue)
        return
      }
      losses.append(issue)
      tables = new.tableIndices.map { _ in nil }
      joins = new.joins.map { _ in nil }
      return
    }
    for table in new.tableIndices { tables.append(try source(table)) }
    for join in new.joins { joins.append(source(join)) }
    checkWhatMoves()
    if obstacles.isEmpty { try countLosses() }
  }

  /// Counts the objects of an old entity.
  private func count(_ entity: EntityIndex) throws -> Int64 {
    try content.objectCount(
      old.model.resolved[entity].hierarchy, of: [old.model.entities[entity].name])
  }

  private mutating func refuse(_ message: String, entity: String, property: String = "") {
    obstacles.append(GrootIssue(.storeModel, message, entity: entity, property: property))
  }

  // MARK: Tables

  private mutating func source(_ table: TableIndex) throws -> TableSource? {
    let entities = new.model.hierarchies[table].entities
    let pairs = entities.compactMap { new in oldEntity[new].map { (old: $0, new: new) } }
    guard let first = pairs.first else { return nil }
    let source = old.model.resolved[first.old].hierarchy
    for pair in pairs where old.model.resolved[pair.old].hierarchy != source {
      refuse(
        "the entity had another root entity, and its objects were in another table",
        entity: new.model.entities[pair.new].name)
    }
    for pair in pairs
    where new.model.entities[pair.new].isAbstract && !old.model.entities[pair.old].isAbstract {
      if try count(pair.old) > 0 {
        refuse(
          "the entity is abstract now, and there are objects of it",
          entity: old.model.entities[pair.old].name)
      }
    }
    var columns: [ColumnSource] = []
    for column in new.tables[table].columns {
      columns.append(try self.source(column, table: table, oldTable: source))
    }
    return TableSource(
      table: source, pairs: pairs,
      entities: pairs.map { (old.model.entities[$0.old].name, new.model.entities[$0.new].name) },
      columns: columns)
  }

  /// Returns the old property that corresponds to a new one.
  func counterpart(_ property: Property) -> Property? {
    guard let entity = oldEntity[property.entity] else { return nil }
    if let same = oldProperty(property.name, entity: entity) { return same }
    let renamed =
      property.attribute?.renamingIdentifier ?? property.relationship?.renamingIdentifier
    return renamed.flatMap { oldProperty($0, entity: entity) }
  }

  private func oldProperty(_ name: String, entity: EntityIndex) -> Property? {
    guard let found = try? old.model.property(named: name, of: entity),
      Name(found.name) == Name(name)
    else { return nil }
    return found
  }

  private mutating func source(
    _ column: StoreSchema.TableColumn, table: TableIndex, oldTable: TableIndex
  ) throws -> ColumnSource {
    let nothing = ColumnSource.value(.null, .integer64, entities: [])
    let property = new.model.hierarchies[table].properties[column.number]
    guard let before = counterpart(property) else { return try added(property) }
    let columns = old.tables[oldTable].columns
    func position(_ isPosition: Bool) -> Int? {
      columns.firstIndex { other in
        var found = false
        if case .position = other.kind { found = true }
        return other.number == before.number && found == isPosition
      }
    }
    switch column.kind {
    case .position: return position(true).map { .column($0) } ?? nothing
    case .reference:
      guard let found = position(false), leadsAsBefore(property, before: before) else {
        refuse(
          "the relationship was of another kind", entity: column.entity, property: column.property)
        return nothing
      }
      return .column(found)
    case .attribute(let type):
      guard let attribute = before.attribute, let found = position(false) else {
        // The old property was not kept: it is a transient attribute or not an attribute.
        if before.attribute?.isTransient == true { return try added(property) }
        refuse(
          "the property was not an attribute", entity: column.entity, property: column.property)
        return nothing
      }
      guard Self.isWider(type, than: attribute.type) else {
        refuse(
          "the type \(attribute.type.rawValue) does not become \(type.rawValue)",
          entity: column.entity,
          property: column.property)
        return nothing
      }
      return .column(found)
    }
  }

  /// Returns the source of a property that the old model does not have.
  private mutating func added(_ property: Property) throws -> ColumnSource {
    let (owner, name) = (new.model.resolved[property.entity].name, property.name)
    guard let attribute = property.attribute else {
      return .value(.null, .integer64, entities: [])
    }
    let subtree = new.model.resolved[property.entity].subtree
    let entities = new.model.hierarchies[new.model.resolved[property.entity].hierarchy].entities
      .filter { subtree.contains(new.model.resolved[$0].localIndex) }
    if attribute.defaultValue.isNull && !attribute.isOptional {
      for entity in entities.compactMap({ oldEntity[$0] })
      where try count(entity) > 0 {
        refuse(
          "the attribute is required and has no default, and there are objects of "
            + "'\(old.model.entities[entity].name)'", entity: owner, property: name)
      }
    }
    return .value(
      attribute.defaultValue, attribute.type, entities: entities.map { new.model.entities[$0].name }
    )
  }

  private func isInTree(named name: String, _ model: ManagedObjectModel, table: TableIndex) -> Bool
  {
    model.hierarchies[table].properties.contains { Name($0.name) == Name(name) }
  }

  /// Returns whether a new type can hold all values of an old type.
  private static func isWider(_ new: AttributeType, than old: AttributeType) -> Bool {
    switch (old, new) {
    case _ where old == new: true
    case (.integer16, .integer32), (.integer16, .integer64), (.integer32, .integer64): true
    case (.integer16, .double), (.integer32, .double), (.integer16, .float): true
    case (.integer16, .decimal), (.integer32, .decimal), (.integer64, .decimal): true
    case (.float, .double), (.string, .uri), (.uri, .string), (.composite, .transformable): true
    case (.uuid, .string), (.uuid, .uri), (.day, .string): true
    default: false
    }
  }

  // MARK: Relationships

  /// Returns whether a to-one leads to the same entity as before, or to an ancestor of it.
  private func leadsAsBefore(_ property: Property, before: Property) -> Bool {
    guard let relationship = property.relationship, let was = before.relationship,
      let destination = try? new.model.index(of: relationship.destination),
      let oldDestination = try? old.model.index(of: was.destination)
    else { return false }
    return new.model.entityIndices.contains { entity in
      oldEntity[entity] == oldDestination && new.model.isKind(entity, of: destination)
    } && relationship.isToMany == was.isToMany
  }

  private mutating func source(_ join: StoreSchema.Join) -> JoinSource? {
    let property = new.model.links[join.link].sides.0
    let near = new.model.hierarchies[property.hierarchy].properties[property.number]
    guard let before = counterpart(near) else { return nil }
    let link = before.field.link
    guard before.relationship != nil, leadsAsBefore(near, before: before),
      let found = old.joins.firstIndex(where: { $0.link == link })
    else {
      refuse("the relationship was of another kind", entity: join.entity, property: join.property)
      return nil
    }
    return JoinSource(join: found, isSwapped: before.field.side == .second)
  }

  // MARK: Moved properties

  /// Refuses a property that seems removed but has only moved, which would lose its values.
  private mutating func checkWhatMoves() {
    for (table, source) in tables.numbered(by: TableIndex.self) {
      guard let source else { continue }
      let kept = Set(
        new.model.hierarchies[table].properties.compactMap { counterpart($0)?.number })
      for property in old.model.hierarchies[source.table].properties
      where !property.name.isEmpty && !kept.contains(property.number) {
        if isInTree(named: property.name, new.model, table: table) {
          refuse(
            "another entity declares the property now",
            entity: old.model.resolved[property.entity].name, property: property.name)
        }
      }
    }
    var taken: [TableIndex: TableIndex] = [:]
    for (table, source) in tables.numbered(by: TableIndex.self) {
      guard let source else { continue }
      if let other = taken.updateValue(table, forKey: source.table) {
        refuse(
          "its objects were in one table with those of '\(new.tables[other].name)'",
          entity: new.tables[table].name)
      }
    }
  }
}

// The losses of a migration: objects, values and links that the new model cannot hold.

/// A count of objects, values and links in a store.
package protocol StoreContent {
  /// Counts the objects of some entities.
  func objectCount(_ table: TableIndex, of entities: [String]) throws -> Int64
  /// Counts the objects of some entities that have a value in a column.
  func valueCount(_ table: TableIndex, column: Int, of entities: [String]) throws -> Int64
  /// Counts the links of a join.
  func linkCount(_ join: Int) throws -> Int64
}

extension StoreMigration {
  mutating func countLosses() throws {
    let kept = Set(oldEntity.compactMap { $0 })
    for (number, entity) in old.model.entities.numbered(by: EntityIndex.self)
    where !kept.contains(number) {
      let table = old.model.resolved[number].hierarchy
      note(try content.objectCount(table, of: [entity.name]), what: "object", entity: entity.name)
    }
    for (table, source) in tables.numbered(by: TableIndex.self) {
      if let source { try countValues(table, source: source) }
    }
    let joins = Set(joins.compactMap { $0?.join })
    for (number, join) in old.joins.enumerated() where !joins.contains(number) {
      let (entity, property) = name(join.entity, property: join.property, link: join.link)
      note(try content.linkCount(number), what: "link", entity: entity, property: property)
    }
  }

  private mutating func note(
    _ count: Int64, what: String, entity: String, property: String = ""
  ) {
    guard count > 0 else { return }
    losses.append(
      GrootIssue(
        .storeModel, "\(count) \(what)\(count == 1 ? "" : "s") would be lost", entity: entity,
        property: property))
  }

  private mutating func countValues(_ table: TableIndex, source: TableSource) throws {
    // By old column, the old entities whose objects keep the values.
    var keeping: [Int: Set<EntityIndex>] = [:]
    for (column, from) in zip(new.tables[table].columns, source.columns) {
      guard case .column(let position) = from else { continue }
      let property = new.model.hierarchies[table].properties[column.number]
      let subtree = new.model.resolved[property.entity].subtree
      let entities = source.pairs.filter {
        subtree.contains(new.model.resolved[$0.new].localIndex)
      }
      keeping[position, default: []].formUnion(entities.map(\.old))
    }
    for (position, column) in old.tables[source.table].columns.enumerated() {
      var what = "value"
      switch column.kind {
      // The order of a list is not a link.
      case .position: continue
      case .reference: what = "link"
      case .attribute: break
      }
      let losing = source.pairs.map(\.old).filter { keeping[position]?.contains($0) != true }
        .map { old.model.entities[$0].name }
      guard !losing.isEmpty else { continue }
      let (entity, property) = name(column.entity, property: column.property, link: column.link)
      note(
        try content.valueCount(source.table, column: position, of: losing), what: what,
        entity: entity, property: property)
    }
  }

  /// Returns the name of a property; for an unnamed relationship, the name of its inverse.
  private func name(
    _ entity: String, property: String, link: LinkIndex
  ) -> (entity: String, property: String) {
    guard property.isEmpty, old.model.links.indices.contains(link.offset) else {
      return (entity, property)
    }
    let side = old.model.links[link].sides.1
    let inverse = old.model.hierarchies[side.hierarchy].properties[side.number]
    return (old.model.entities[inverse.entity].name, inverse.name)
  }
}
