#if canImport(Groot)
import Groot
#endif

/// Gives the entities and properties of a model annotations that exist, with values that may fit.
///
/// Most of what ``JSONMutator`` makes is refused as a model; this is mostly accepted, and then tries
/// how annotations go together.
struct AnnotationMutator {
  var random: SeededGenerator

  private static let paths = [
    "@index", "@key", "@value", "@rest", "@parent.id", "@root.id", "id", "name", "a", "a.b", "a[0]",
    "a[1]", "a[].b", "list[]", "[0]", "[1]", "\\@key", "type", "stats[2].value",
  ]
  private static let ofEntities: [(name: String, values: [String])] = [
    ("groot.discriminator", ["type", "kind", "a.b", "@parent.type"]),
    ("groot.discriminatorValue", ["a", "b", "1"]),
    ("groot.unknownDiscriminator", ["error", "base", "skip"]),
    ("groot.version", ["version", "id", "updated", "name"]),
    ("groot.versionRule", ["newer", "newerOrEqual"]),
    ("groot.tombstone", ["deleted=true", "a.b=1", "name=x"]),
    ("groot.deletionMark", ["isDeleted", "deleted", "name"]),
    ("groot.unknownKeys", ["ignore", "report", "error"]),
    ("identityAttributes", ["id", "name", "id, index", "owner, key", "index"]),
  ]
  private static let ofProperties: [(name: String, values: [String])] = [
    ("JSONKeyPath", paths), ("JSONKeyPath", paths), ("JSONKeyPath", paths),
    ("groot.form", ["array", "keyed", "grouped"]),
    ("groot.exportNull", ["write", "omit"]),
    ("groot.exportProperties", ["{id}", "{name, id}", "id, name"]),
    ("groot.emptyText", ["null"]),
    ("groot.invalid", ["ignore", "keep", "skip"]),
    ("groot.shape", ["ignore", "box"]),
    ("groot.null", ["keep", "clear"]),
    (
      "groot.dateFormat", ["iso8601", "unixSeconds", "EEE, dd MMM yyyy | unixMillis", "dd.MM.yyyy"]
    ),
    ("groot.export", ["identifier", "omit"]),
  ]

  /// The model with so many more annotations.
  mutating func annotate(_ model: JSONValue, count: Int) -> JSONValue {
    var model = model
    for _ in 0..<count { model = annotate(model) }
    return model
  }

  private mutating func annotate(_ model: JSONValue) -> JSONValue {
    guard var document = model.objectValue, var entities = document["entities"]?.objectValue,
      let (name, entity) = random.one(of: entities.members),
      var object = entity.objectValue
    else { return model }
    let kind = random.pick(["attributes", "relationships"])
    if var properties = object[kind]?.objectValue, !random.once(in: 4),
      let (property, value) = random.one(of: properties.members),
      let description = value.objectValue
    {
      properties[property] = annotated(description, with: Self.ofProperties)
      object[kind] = .object(properties)
      entities[name] = .object(object)
    } else {
      entities[name] = annotated(object, with: Self.ofEntities)
    }
    document["entities"] = .object(entities)
    return .object(document)
  }

  private mutating func annotated(
    _ description: JSONObject, with annotations: [(name: String, values: [String])]
  ) -> JSONValue {
    guard let annotation = random.one(of: annotations),
      let value = random.one(of: annotation.values)
    else { return .object(description) }
    var description = description
    var userInfo = description["userInfo"]?.objectValue ?? JSONObject()
    userInfo[annotation.name] = .string(value)
    description["userInfo"] = .object(userInfo)
    return .object(description)
  }
}
