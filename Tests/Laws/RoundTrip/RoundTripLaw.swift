@testable import Groot

/// The law of exports: imported into the graph it came from, an export changes nothing; imported
/// into an empty one, it gives what an export of that writes again.
///
/// Where an export cannot come back is what docs/reference/round-trips.md says; ``comesBack`` and
/// ``comesBackAnew`` are these rules.
struct RoundTripLaw {
  let scene: RoundTripScene

  private var mapping: Mapping { scene.mapping }
  private var plan: Plan { mapping.plan }
  private var model: ManagedObjectModel { mapping.model }

  /// What is wrong; nil when the law holds.
  func violation() throws -> String? {
    let form = RoundTripForm(
      name: scene.json["form"]?.stringValue ?? scene.json["export"]?["form"]?.stringValue ?? "text",
      entity: model.resolved[scene.entity].name, options: scene.options)
    let text: [UInt8]
    do {
      text = try form.export(scene.context, scene.exported)
    } catch let error as GrootError
      where [.invalidArgument, .unknownProperty].contains(error.status)
    {
      throw RoundTripScene.Unusable()
    }
    if comesBack, let wrong = try changes(form, text) { return "\(wrong)\n  export: \(text.text)" }
    guard comesBackAnew else { return nil }
    // The order of unordered members, which is nobody's business, decides where objects are in full.
    let order = RoundTripOrder(mapping: mapping)
    try order.settle(scene.context)
    let settled = try form.export(scene.context, scene.exported)
    return try difference(form, settled, order).map { "\($0)\n  export: \(settled.text)" }
  }

  /// The objects that became two; nil when there are none.
  ///
  /// One that was only named is still open after an export of its own: a record of a sub-entity brings it.
  func doubling() throws -> String? {
    guard comesBackAnew, allAreIdentified, hasSubentities,
      entities.allSatisfy({ writesKind(of: $0) && writes(plan.identityNumbers[$0], of: $0) })
    else { return nil }
    let roots = model.entityIndices.filter { model.resolved[$0].parent == nil }
      .map { model.resolved[$0].name }
    var written: [String] = []
    func copy(_ context: ManagedObjectContext, into other: ManagedObjectContext) throws {
      for root in roots {
        let text = try context.exportBytes(context.fetchIDs(FetchRequest(root))).text
        written.append(text)
        try other.importJSON(.text(text), into: root)
      }
    }
    func counts(_ context: ManagedObjectContext) throws -> [Int] {
      try model.entities.map { try context.count(FetchRequest($0.name)) }
    }
    let named = ManagedObjectContext(mapping: mapping)
    let again = ManagedObjectContext(mapping: mapping)
    let text = try scene.context.exportBytes(scene.exported, options: ExportOptions(depth: 0))
    try named.importJSON(.text(text.text), into: model.resolved[scene.entity].name)
    try copy(named, into: again)
    guard try counts(named) == counts(again) else {
      return "what was named became: \(try counts(again)), not \(try counts(named))\n  \(written)"
    }
    try copy(scene.context, into: again)
    return try counts(again) == counts(scene.context)
      ? nil
      : "with all records it became: \(try counts(again)), not \(try counts(scene.context))\n  \(written)"
  }

  /// What an import into the same graph changed.
  private func changes(_ form: RoundTripForm, _ text: [UInt8]) throws -> String? {
    let before = dump(scene.context)
    let report: ImportReport
    do {
      report = try form.load(text, into: scene.context).report
    } catch {
      return "its own graph does not take the export: \(error)"
    }
    let counts = (report.inserted, report.updated, report.deleted)
    if counts != (0, 0, 0) { return "inserted, updated, deleted: \(counts)\n\(report.json)" }
    let issues = report.issues.filter { $0.severity == .error }
    if !issues.isEmpty { return "issues: \(issues)" }
    let after = dump(scene.context)
    return after == before ? nil : "it was\n\(before)\nand is\n\(after)"
  }

  /// What another context lacks that has imported the export.
  private func difference(
    _ form: RoundTripForm, _ text: [UInt8], _ order: RoundTripOrder
  ) throws -> String? {
    let copy = ManagedObjectContext(mapping: mapping)
    do {
      let result = try form.load(text, into: copy)
      let broken = copy.brokenInvariants()
      if !broken.isEmpty { return "broken: \(broken)" }
      try order.settle(copy)
      var options = form.options
      options.writesLines = false
      let before = try scene.context.exportBytes(scene.exported, options: options)
      let again = try copy.exportBytes(Array(result.ids), options: options)
      return try RoundTripCovering.covers(
        JSONValue(parsing: before.text), JSONValue(parsing: again.text))
        ? nil : "from an empty graph it is \(again.text)"
    } catch {
      return "an empty graph does not take the export: \(error)"
    }
  }

  // MARK: Where it cannot be

  private var entities: Set<EntityIndex> {
    Set(scene.context.allObjects.map { scene.context.entityNumber($0) })
  }

  private func outputs(_ entity: EntityIndex) throws -> [(index: Int32, output: OutputOperation)] {
    let variant = try mapping.variant(scene.options.style)
    let range = plan.outputRanges[Int(plan.entities[entity].firstRange) + variant]
    return (range.first..<range.first + range.count).map { ($0, plan.outputs[Int($0)]) }
  }

  private func skipped(_ entity: EntityIndex) -> Set<Int32> {
    guard var filter = OutputFilter(scene.options),
      let variant = try? mapping.variant(scene.options.style)
    else { return [] }
    try? filter.choose(plan, number: PlanIndex(of: entity), variant: variant, in: model)
    let range = plan.outputRanges[Int(plan.entities[entity].firstRange) + variant]
    return Set((range.first..<range.first + range.count).filter { filter.leavesOut($0) })
  }

  /// The entities of the exported objects.
  private var topEntities: [EntityIndex] {
    Array(Set(scene.exported.map { scene.context.entityNumber($0) }))
  }

  private func root(_ entity: EntityIndex) -> EntityIndex {
    var entity = entity
    while let parent = model.resolved[entity].parent { entity = parent }
    return entity
  }

  private func properties(_ entity: EntityIndex) -> [Property] {
    model.hierarchies[model.resolved[entity].hierarchy].properties
  }

  /// Whether each object can be found by the identity of its root; one part alone needs a value.
  private var allAreIdentified: Bool {
    let graph = scene.context.graph
    return scene.context.allObjects.allSatisfy { id in
      let numbers = plan.identityNumbers[root(scene.context.entityNumber(id))]
      guard numbers.count == 1 else { return !numbers.isEmpty }
      let field = graph.fields[id.table][numbers[0]]
      if field.isRelationship {
        return !graph.target(field, id.row).isNone
      }
      return graph.tables[id.table].has(field, in: graph.tables[id.table].record(id.row))
    }
  }

  /// Whether no object is written under several others: without identity it would become several.
  private var eachIsReachedOnce: Bool {
    let graph = scene.context.graph
    var reached: [ObjectID: Int] = [:]
    for id in scene.context.allObjects {
      for (_, output) in (try? outputs(scene.context.entityNumber(id))) ?? []
      where output.kind == .value && !plan.steps[Int(output.step)].destination.isNone {
        let field = plan.steps[Int(output.step)].field
        let table = graph.tables[graph.destination(field)]
        if field.isToMany {
          for row in graph.members(of: id.row, field: field) {
            reached[table.id(row), default: 0] += 1
          }
        } else {
          if let row = graph.target(field, id.row).index { reached[table.id(row), default: 0] += 1 }
        }
      }
    }
    return reached.values.allSatisfy { $0 == 1 }
  }

  /// Whether something but identities is required, which what stands for an object lacks.
  private var requiresMore: Bool {
    model.entityIndices.contains { entity in
      properties(entity).contains { property in
        !property.name.isEmpty && !property.field.isOptional
          && !plan.identityNumbers[root(entity)].contains(property.number)
      }
    }
  }

  /// Whether an object may be written as what stands for it: by options, or on its way back to itself.
  private var hasStandIns: Bool {
    mapping.entities.contains { $0.properties.contains(where: \.writesIdentifiers) }
      || scene.options.depth != nil
      || (0..<plan.entityCount).contains { plan.entities[$0].isRecursive }
  }

  /// Whether records say of which entity they are, all the way.
  private var entitiesComeBack: Bool {
    let isTold =
      model.entityIndices.allSatisfy { plan.entities[PlanIndex(of: $0)].entityMapper >= 0 }
      && (scene.json["objects"]?.objectValue?.members ?? []).allSatisfy {
        $0.value["kind"] == $0.value["is"]
      } && topEntities.allSatisfy(writesKind)
    return !hasSubentities || isTold
  }

  private func writesKind(of entity: EntityIndex) -> Bool {
    let number = (try? model.property(named: "kind", of: entity))?.number
    return number.map { writes([$0], of: entity) } ?? false
  }

  /// Whether all parts of the identity of the exported objects are written.
  private var identityIsWritten: Bool {
    topEntities.allSatisfy { writes(plan.identityNumbers[$0], of: $0) }
  }

  /// Whether an export writes these properties of an entity at the top.
  private func writes(_ numbers: [Int], of entity: EntityIndex) -> Bool {
    let skipped = skipped(entity)
    let written = (try? outputs(entity)) ?? []
    return numbers.allSatisfy { number in
      written.contains { index, output in
        output.kind == .value && !skipped.contains(index)
          && Int(plan.steps[Int(output.step)].field.number) == number
      }
    }
  }

  /// Dates are written as they are read.
  private var datesComeBack: Bool {
    scene.options.dates == nil || mapping.dialect == .hyper
      || !model.hierarchies.contains { $0.properties.contains { $0.attribute?.type == .date } }
  }

  /// No part of an object that attributes share is left out, which would clear the rest by conventions.
  private var sharedObjectsAreWhole: Bool {
    let areShared = mapping.entities.contains { entity in
      entity.properties.contains { $0.inputs.contains { $0.segments.count > 1 } }
    }
    return mapping.dialect != .hyper || !areShared || topEntities.allSatisfy { skipped($0).isEmpty }
  }

  /// What is left out of an array leaves a null.
  private var positionsAreWhole: Bool {
    mapping.dialect != .kvc
      || mapping.entities.allSatisfy { !$0.isPositional }
      || (scene.options.writesToMany && scene.options.writesSubobjects
        && scene.options.relationships == nil && OutputFilter(scene.options) == nil)
  }

  /// Whether what is identified within an owner that the JSON does not name is under it only.
  private var ownersAreKnown: Bool {
    entities.allSatisfy { entity in
      let written = (try? outputs(entity)) ?? []
      return plan.identityNumbers[entity].allSatisfy { number in
        let field = properties(entity)[number].field
        let isNamed =
          !field.isRelationship
          || written.contains {
            $0.output.kind == .value && plan.steps[Int($0.output.step)].field.number == field.number
              && plan.steps[Int($0.output.step)].slotCount > 0
          }
        return isNamed
          || (!topEntities.contains(entity) && isReachedOnly(entity, along: field.link))
      }
    }
  }

  private func isReachedOnly(_ entity: EntityIndex, along link: LinkIndex) -> Bool {
    entities.allSatisfy { other in
      ((try? outputs(other)) ?? []).allSatisfy { _, output in
        guard output.kind == .value else { return true }
        let step = plan.steps[Int(output.step)]
        guard !step.destination.isNone else { return true }
        let destination = plan.entities[step.destination].entity
        return root(destination) != root(entity) || step.field.link == link
      }
    }
  }

  /// A value of JSON that is not a text holds a double, which has not all digits of a decimal.
  private var numbersComeBack: Bool {
    guard ["value", "jansson"].contains(scene.json["export"]?["form"]?.stringValue ?? "") else {
      return true
    }
    let graph = scene.context.graph
    return scene.context.allObjects.allSatisfy { id in
      properties(scene.context.entityNumber(id)).allSatisfy { property in
        guard property.attribute?.type == .decimal,
          property.field.belongs(to: graph.tables[id.table].header(id.row).pointee.entity),
          case .decimal(let decimal) = graph.value(property.field, id.table, id.row)
        else { return true }
        return DecimalNumber("\(decimal.double)") == decimal
      }
    }
  }

  /// Whether null is read as null, not as the attribute's default, which it leaves in a new object.
  private func nullsComeBack(_ policies: Set<String>) -> Bool {
    let graph = scene.context.graph
    return scene.context.allObjects.allSatisfy { id in
      let record = graph.tables[id.table].record(id.row)
      return properties(scene.context.entityNumber(id)).allSatisfy { property in
        guard let attribute = property.attribute, let policy = attribute.userInfo["groot.null"],
          policies.contains(policy),
          !attribute.defaultValue.isNull,
          property.field.belongs(to: graph.tables[id.table].header(id.row).pointee.entity)
        else { return true }
        return graph.tables[id.table].has(property.field, in: record)
      }
    }
  }

  /// Whether a list keeps the order that members come in, which other objects may list first.
  private var unitesOrderedLists: Bool {
    model.entities.contains { entity in
      entity.relationships.contains {
        $0.isOrdered && $0.userInfo["groot.assignment"] == "union"
      }
    }
  }

  private var comesBack: Bool {
    numbersComeBack && nullsComeBack(["default"]) && allAreIdentified && ownersAreKnown
      && identityIsWritten
      && datesComeBack && sharedObjectsAreWhole && positionsAreWhole
  }

  private var hasSubentities: Bool { entities.contains { model.resolved[$0].parent != nil } }

  private var comesBackAnew: Bool {
    let isPlain = scene.options.relationships == nil || scene.options.relationships == .array
    let hasRemoteKeys = model.entities.contains { entity in
      entity.relationships.contains { $0.userInfo["sync.remoteKey"] != nil }
    }
    return numbersComeBack && nullsComeBack(["default", "keep"]) && !unitesOrderedLists
      && identityIsWritten && (allAreIdentified ? ownersAreKnown : eachIsReachedOnce)
      && datesComeBack && sharedObjectsAreWhole
      && positionsAreWhole
      && entitiesComeBack && !(requiresMore && (hasStandIns || OutputFilter(scene.options) != nil))
      && (mapping.dialect != .hyper || (isPlain && !hasRemoteKeys))
  }
}

extension [UInt8] {
  fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}

extension ManagedObjectContext {
  fileprivate var allObjects: [ObjectID] {
    model.hierarchies.indices.flatMap { table in
      (graph.tables[table].rows).filter { graph.tables[table].isLive($0) }
        .map { graph.tables[table].id($0) }
    }
  }

  fileprivate func entityNumber(_ id: ObjectID) -> EntityIndex {
    graph.entity(graph.tables[id.table].record(id.row), in: id.table)
  }
}

/// Whether a second export has all that a first has.
enum RoundTripCovering {
  static func covers(_ first: JSONValue, _ second: JSONValue) -> Bool {
    switch (first, second) {
    case (.object(let first), .object(let second)):
      return first.members.allSatisfy { key, value in
        guard !isExportOnly(key) else { return true }
        guard let other = second[key] else { return false }
        return covers(value, other)
      }
        && second.members.allSatisfy { first[$0.key] != nil || isEmpty($0.value) }
    case (.array(let first), .array(let second)):
      guard first.count == second.count else { return false }
      if zip(first, second).allSatisfy({ covers($0, $1) }) { return true }
      var rest = second
      return first.allSatisfy { element in
        guard let found = rest.firstIndex(where: { covers(element, $0) }) else { return false }
        rest.remove(at: found)
        return true
      }
    case (.integer(let first), .real(let second)): return Double(first) == second
    case (.real(let first), .integer(let second)): return Double(second) == first
    default: return first == second
    }
  }

  /// What a model says to be written and not read.
  private static func isExportOnly(_ key: String) -> Bool { key.contains("shown") }

  private static func isEmpty(_ value: JSONValue) -> Bool {
    switch value {
    case .null: true
    case .array(let elements): elements.isEmpty
    case .object(let object): object.members.allSatisfy { isEmpty($0.value) }
    default: false
    }
  }
}
