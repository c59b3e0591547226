/// The records at one place of a document.
public struct DocumentRoot: Sendable, ExpressibleByStringLiteral {
  /// The name of their entity.
  public var entity: String
  /// Their form.
  public var form: CollectionForm

  /// Makes a root with records of an entity.
  public init(_ entity: String, form: CollectionForm = .array) {
    self.entity = entity
    self.form = form
  }

  /// Makes a root with an array of records of an entity.
  public init(stringLiteral entity: String) { self.init(entity) }
}

/// A resolved ``DocumentRoot``, for imports and exports.
struct DocumentPart: Sendable {
  /// The keys from the document to the records.
  let keys: [String]
  let path: TapeSteps
  /// The path of the object that encloses the records.
  let around: TapeSteps
  let plan: PlanIndex
  let form: CollectionForm

  init(keys: [String], plan: PlanIndex, form: CollectionForm = .array) {
    self.keys = keys
    path = TapeSteps(JSONKeyPath(segments: keys))
    around = TapeSteps(JSONKeyPath(segments: keys).around)
    self.plan = plan
    self.form = form
  }

  /// Reads the roots of a mapping, whose keys are JSON Pointers; errors are collected.
  static func parts(
    of roots: NameMap<DocumentRoot>, in model: ManagedObjectModel, mappings: [EntityMapping],
    compilation: inout MappingCompilation
  ) -> [DocumentPart] {
    var parts: [DocumentPart] = []
    var tree = KeyConflicts()
    for (text, root) in roots {
      guard let pointer = try? JSONPointer(text) else {
        compilation.report(
          .invalidMapping, "the root '\(text.shortened)' is not a JSON Pointer such as /data",
          entity: root.entity)
        continue
      }
      guard let index = try? model.index(of: root.entity) else {
        compilation.report(
          .unknownEntity, "the root '\(text.shortened)' names a missing entity",
          entity: root.entity)
        continue
      }
      let part = DocumentPart(
        keys: pointer.keys.map { String(decoding: $0, as: UTF8.self) },
        plan: PlanIndex(of: index), form: root.form)
      let path = JSONKeyPath(segments: part.keys)
      if tree.conflict(with: path) != nil || part.keys.isEmpty && roots.keys.count > 1 {
        compilation.report(
          .invalidMapping, "the root '\(text.shortened)' is inside another, or around it",
          entity: root.entity)
      }
      if root.form != .array,
        let other = model.kinds(of: index).first(where: { !mappings[PlanIndex(of: $0)].takesKeys })
      {
        compilation.report(
          .invalidMapping,
          "the keys of the root '\(text.shortened)' have no attribute: '\(model.entities[other].name)' "
            + "has neither the path '@key' nor one attribute that identifies its objects",
          entity: root.entity)
      }
      tree.insert(path, number: parts.count)
      parts.append(part)
    }
    return parts
  }
}

extension Mapping {
  /// The paths from the document to records, and those that records read at `@root`.
  var documentPaths: [JSONKeyPath] {
    let read = entities.flatMap { entity in
      entity.properties.flatMap(\.inputs) + (entity.discriminator.map { [$0.path] } ?? [])
    }
    let own = read.filter { $0.origin == .root }.map { JSONKeyPath($0.segments) }
    return own
      + roots.flatMap { root in
        let path = JSONKeyPath(segments: root.keys)
        let around = model.kinds(of: entities[root.plan].entity).flatMap { kind in
          entities[PlanIndex(of: kind)].properties.flatMap(\.inputs).filter { $0.origin == .parent }
        }
        return [path] + around.map(path.around.appending)
      }
  }
}

// The roots of a mapping as JSON, for C, Python and test cases.

extension NameMap<DocumentRoot> {
  /// Reads roots such as `{"/data": "Resource", "/events": {"entity": "Event", "form": "keyed"}}`.
  ///
  /// - Throws: ``Status/invalidArgument`` for any other JSON.
  package init(json: JSONValue) throws(GrootError) {
    self.init()
    guard let members = json.objectValue?.members else {
      throw GrootError(
        .invalidArgument, "roots is a JSON object of places and entities, not \(json)")
    }
    for (place, value) in members { self[place] = try DocumentRoot(json: value, at: place) }
  }
}

extension DocumentRoot {
  fileprivate init(json: JSONValue, at place: String) throws(GrootError) {
    if let entity = json.stringValue {
      self.init(entity)
      return
    }
    guard let members = json.objectValue?.members, let entity = json["entity"]?.stringValue else {
      throw GrootError(
        .invalidArgument,
        "the root '\(place.shortened)' is the name of an entity, or an object with 'entity' and "
          + "'form', not \(json)")
    }
    if let other = members.first(where: { $0.0 != "entity" && $0.0 != "form" }) {
      throw GrootError(
        .invalidArgument,
        "the root '\(place.shortened)' has '\(other.0.shortened)'; it may have 'entity' and 'form'")
    }
    self.init(entity, form: try CollectionForm(json: json["form"], of: place))
  }
}

extension CollectionForm {
  fileprivate init(json: JSONValue?, of place: String) throws(GrootError) {
    let names = Self.allCases.map { "\($0)" }
    guard let json else {
      self = .array
      return
    }
    guard let form = Self.allCases.first(where: { json.stringValue == "\($0)" }) else {
      throw GrootError(
        .invalidArgument,
        "the form of the root '\(place.shortened)' is \(json); forms are \(listed(names))")
    }
    self = form
  }
}
