@testable import Groot

/// A model, a graph of it and an export of that, as JSON, so that it can be cut down and kept.
struct RoundTripScene {
  let json: JSONValue
  let mapping: Mapping
  let context: ManagedObjectContext
  let entity: EntityIndex
  /// The objects that are exported, in the order they were made in.
  let exported: [ObjectID]
  let options: ExportOptions

  /// It is not a scene: the model is none, or its graph is not valid.
  struct Unusable: Error {}

  init(_ json: JSONValue) throws {
    self.json = json
    guard let document = json["model"], let dialect = json["dialect"]?.stringValue,
      let export = json["export"], let name = export["entity"]?.stringValue,
      let chosen = Mapping.Dialect(rawValue: dialect),
      let model = try? ManagedObjectModel(document: document),
      let mapping = try? Mapping(
        model: model, registry: Self.registry, dialect: chosen, rules: json["rules"]),
      let entity = try? model.index(of: name)
    else { throw Unusable() }
    self.mapping = mapping
    self.entity = entity
    context = ManagedObjectContext(mapping: mapping)
    options = Self.options(export)
    try Self.fill(context, json["objects"]?.objectValue ?? [:])
    exported = try context.fetchIDs(FetchRequest(name))
    if exported.isEmpty || hasTwins { throw Unusable() }
  }

  /// Whether two objects have one identity.
  private var hasTwins: Bool {
    let graph = context.graph
    return mapping.model.entityIndices.contains { entity in
      let numbers = mapping.plan.identityNumbers[entity]
      let table = mapping.model.resolved[entity].hierarchy
      if mapping.model.resolved[entity].parent != nil || numbers.isEmpty { return false }
      var seen: Set<String> = []
      return (graph.tables[table].rows).contains { row in
        guard graph.tables[table].isLive(row) else { return false }
        let parts = numbers.map { number in
          let field = graph.fields[table][number]
          return field.isRelationship
            ? "\(graph.target(field, row))" : "\(graph.value(field, table, row))"
        }
        return !seen.insert("\(parts)").inserted
      }
    }
  }

  /// A scene at random.
  static func random(_ seed: UInt64) throws -> JSONValue {
    var random = SeededGenerator(seed: seed)
    let dialect =
      [.groot, .groot, .hyper, .kvc][random.below(4)]
      as Mapping.Dialect
    var models = RoundTripModel(dialect, random.fork())
    let document = models.document()
    var scene: JSONObject = ["dialect": .string(dialect.rawValue), "model": document]
    let model = try ManagedObjectModel(document: document)
    var rules = RoundTripRules(model: model, random: random.fork())
    if dialect == .kvc { scene["rules"] = rules.rules() }
    let mapping = try Mapping(
      model: model, registry: registry, dialect: dialect, rules: scene["rules"])
    var objects = RoundTripObjects(
      model: model, mapping: mapping, document: document,
      random: random.fork())
    scene["objects"] = objects.objects()
    scene["export"] = objects.export()
    return .object(scene)
  }

  // MARK: Making it

  static let registry: TransformerRegistry = {
    var registry = TransformerRegistry()
    registry.setBuiltin("Digits", to: .integerText)
    registry.setBuiltin("Millis", to: .dateUnixMilliseconds)
    registry.setBuiltin("Shout", to: .uppercase)
    registry.setTransformer("Turned", reverse: turned, forward: turned)
    // Its reverse gives nothing for some values, which are then written as null.
    registry.setTransformer("Shy", reverse: { $0 == "quiet" ? nil : $0 }, forward: { $0 })
    registry.setEntityMapper("Kind") { $0["kind"]?.stringValue }
    return registry
  }()

  private static let turned: TransformerRegistry.Transform = { value in
    .string(String(String.UnicodeScalarView((value.stringValue ?? "").unicodeScalars.reversed())))
  }

  private static func fill(_ context: ManagedObjectContext, _ objects: JSONObject) throws {
    do {
      var made: [String: ManagedObject] = [:]
      for (name, json) in objects.members {
        made[name] = try context.insert(json["is"]?.stringValue ?? "")
      }
      for (name, json) in objects.members {
        guard let object = made[name] else { continue }
        for (key, value) in json.objectValue?.members ?? [] where key != "is" {
          let entity = try context.model.index(of: json["is"]?.stringValue ?? "")
          let property = try context.model.property(named: key, of: entity)
          if let attribute = property.attribute {
            try object.set(key, to: Value(value, as: attribute.type))
          } else if property.field.isToMany {
            let names = value.arrayValue?.compactMap(\.stringValue) ?? []
            try object.set(key, to: names.compactMap { made[$0] })
          } else if let member = made[value.stringValue ?? ""] {
            try object.set(key, to: member)
          }
        }
      }
      try context.save()
    } catch {
      throw Unusable()
    }
  }

  private static func options(_ json: JSONValue) -> ExportOptions {
    var options = ExportOptions()
    options.depth = json["depth"]?.integerValue.map { Int($0) }
    options.properties = json["properties"]?.arrayValue?.compactMap(\.stringValue)
    options.excludedKeys = json["exclude"]?.arrayValue?.compactMap(\.stringValue) ?? []
    options.relationships = RelationshipStyle.allCases.first {
      "\($0)" == json["relationships"]?.stringValue
    }
    options.inflection = json["inflection"] == "camel" ? .camel : nil
    options.dates = json["dates"]?.stringValue
    options.writesToMany = json["toMany"]?.booleanValue ?? false
    options.writesSubobjects = json["subobjects"]?.booleanValue ?? false
    options.writesLines = json["form"] == "lines"
    return options
  }
}
