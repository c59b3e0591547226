// Documents of several roots.

/// The content at one place of a document.
private struct DocumentMember {
  enum Content {
    case objects([ObjectID], form: CollectionForm)
    /// JSON followed by a comma.
    case value([UInt8])
  }

  var keys: ArraySlice<String>
  let content: Content

  /// The same content, relative to the object or array under its first key.
  var inner: DocumentMember { DocumentMember(keys: keys.dropFirst(), content: content) }
}

/// The export of a document, which has objects at several places.
///
/// It stands above the exporter, moves its collection from root to root, and may touch the text
/// between them.
struct DocumentExport {
  private let exporter: Exporter
  private let graph: Graph
  private let mapping: Mapping
  private let plan: Plan
  private let writer: JSONWriter

  init(_ exporter: Exporter) {
    self.exporter = exporter
    graph = exporter.rules.graph
    mapping = exporter.mapping
    plan = mapping.plan
    writer = exporter.text.writer
  }

  /// Writes a document that has objects at several places.
  ///
  /// A value of the document itself, which objects have through `@root` paths, is written where it
  /// was read. All objects must have the same value, and the place must not be inside a root.
  ///
  /// - Throws: ``Status/invalidArgument`` if options ask for another arrangement of the objects.
  func write(
    _ parts: [(part: DocumentPart, objects: [ObjectID])], rooted: [Bool]
  ) throws {
    exporter.standIns.setRoots(rooted)
    defer { exporter.standIns.setRoots([]) }
    try exporter.collection.requireDocument()
    var members = parts.map { part, objects in
      DocumentMember(keys: part.keys[...], content: .objects(objects, form: part.form))
    }
    var tree = KeyConflicts()
    for (number, part) in parts.enumerated() {
      tree.insert(JSONKeyPath(segments: part.part.keys), number: number)
    }
    for (path, text) in try documentValues(parts) {
      let keys = path.segments.compactMap(\.key)
      guard keys.count == path.segments.count, tree.conflict(with: path) == nil else { continue }
      tree.insert(path, number: members.count)
      members.append(DocumentMember(keys: keys[...], content: .value(text)))
    }
    try write(members)
  }

  /// Recurses at most once for each key of a root, or of a path.
  private func write(_ members: [DocumentMember], level: Int = 0) throws {
    if let whole = members.first, whole.keys.isEmpty {
      switch whole.content {
      case .value(let text): text.withUnsafeBufferPointer { writer.raw($0) }
      case .objects(let objects, let form):
        exporter.collection.move(to: form, level: level)
        try objects.withUnsafeBufferPointer { try exporter.write($0) }
      }
      return
    }
    if level > 0, let positions = Self.positions(members) {
      writer.beginArray()
      for position in 0...(positions.max() ?? 0) {
        let here = members.indices.filter { positions[$0] == position }.map { members[$0].inner }
        if here.isEmpty { writer.null() } else { try write(here, level: level + 1) }
      }
      return writer.endArray()
    }
    writer.beginObject()
    var done: Set<Name> = []
    for member in members {
      guard var key = member.keys.first, done.insert(Name(key)).inserted else { continue }
      let name = Name(key)
      key.withUTF8 { writer.key($0) }
      try write(
        members.filter { $0.keys.first.map(Name.init) == name }.map(\.inner), level: level + 1)
    }
    writer.endObject()
  }

  /// Returns the members' keys as positions in an array; nil for the keys of an object.
  ///
  /// A pointer such as `/a/0` is ambiguous. Numbers from 64 on are taken for keys, such as years.
  private static func positions(_ members: [DocumentMember]) -> [Int]? {
    let found = members.compactMap { $0.keys.first.flatMap(JSONKeyPath.position) }
    return found.count == members.count && found.allSatisfy { $0 < 64 } ? found : nil
  }

  // MARK: Values of the document

  /// Returns the document's values by path, if all objects at roots agree on them.
  private func documentValues(
    _ parts: [(part: DocumentPart, objects: [ObjectID])]
  ) throws -> [(path: JSONKeyPath, text: [UInt8])] {
    var texts: [JSONKeyPath: [UInt8]?] = [:]
    var order: [JSONKeyPath] = []
    for (part, objects) in parts {
      let around = JSONKeyPath(segments: part.keys).around
      var stepsOf: [PlanIndex: [(JSONKeyPath, PlanPart<StepPlan>)]] = [:]
      try objects.withUnsafeBufferPointer { objects in
        for index in objects.indices {
          try exporter.reader?.read(objects, at: index)
          let record = try graph.record(objects[index])
          let table = objects[index].table
          let number = PlanIndex(of: graph.entity(record, in: table))
          let steps = stepsOf[number] ?? documentSteps(of: number, around: around)
          stepsOf[number] = steps
          for (path, step) in steps {
            guard graph.tables[table].has(step.field, in: record) else {
              texts[path] = .some(nil)
              continue
            }
            let start = writer.position
            try exporter.values.write(step, record: record, table: table, part: -1)
            let text = Array(writer.bytes[start...])
            writer.truncate(to: start)
            if texts[path] == nil { order.append(path) }
            if let known = texts[path], known != text {
              texts[path] = .some(nil)
            } else {
              texts[path] = text
            }
          }
        }
      }
    }
    return order.compactMap { path in (texts[path] ?? nil).map { (path, $0) } }
  }

  /// Returns the steps of an entity that read values outside its records, with their paths.
  private func documentSteps(
    of number: PlanIndex, around: JSONKeyPath
  ) -> [(JSONKeyPath, PlanPart<StepPlan>)] {
    let first = Int(plan.entities[number].firstStep)
    let links = mapping.entities.flatMap(\.properties)
      .filter { $0.property.relationship != nil }
      .flatMap(\.inputs).compactMap { Self.place($0, around: around) }
    return mapping.entities[number].properties.enumerated().compactMap { position, property in
      guard let input = property.inputs.first, !input.hasElements,
        let path = Self.place(input, around: around),
        property.property.attribute != nil,
        property.property.userInfo["groot.direction"] != "import",
        !links.contains(where: { $0.overlaps(path) })
      else { return nil }
      return (path, plan.steps + (first + position))
    }
  }

  /// Returns a path relative to the document; nil if it begins at the record.
  private static func place(_ path: JSONKeyPath, around: JSONKeyPath) -> JSONKeyPath? {
    switch path.origin {
    case .root: JSONKeyPath(path.segments)
    case .parent: around.appending(path)
    default: nil
    }
  }
}
