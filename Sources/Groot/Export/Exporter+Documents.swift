// Documents of several roots.

/// What is written at one place of a document.
private struct DocumentMember {
  enum Content {
    case objects([ObjectID], form: CollectionForm)
    /// JSON with a comma after it.
    case value([UInt8])
  }

  var keys: ArraySlice<String>
  let content: Content
}

extension Exporter {
  /// Writes a document that has objects at several places.
  ///
  /// What objects have of the document itself, by `@root` paths, is written where it was read, if
  /// all of them agree and no root is there.
  ///
  /// - Throws: ``Status/invalidArgument`` when objects are to be arranged in another way.
  func writeDocument(_ parts: [(part: DocumentPart, objects: [ObjectID])]) throws {
    guard form == .array && !writesLines else {
      throw GrootError(
        .invalidArgument, "the roots of a mapping say how the objects of a document are arranged")
    }
    var members = parts.map { part, objects in
      DocumentMember(keys: part.keys[...], content: .objects(objects, form: part.form))
    }
    var tree = PathTree()
    for (number, part) in parts.enumerated() {
      tree.insert(JSONKeyPath(segments: part.part.keys), number: number)
    }
    for (path, text) in try documentValues(parts.map(\.objects)) {
      let keys = path.segments.compactMap(\.key)
      guard keys.count == path.segments.count, tree.conflict(with: path) == nil else { continue }
      tree.insert(path, number: members.count)
      members.append(DocumentMember(keys: keys[...], content: .value(text)))
    }
    try write(members)
  }

  /// Recursion is bounded by the keys of a root, or of a path.
  private func write(_ members: [DocumentMember], level: Int = 0) throws {
    if let whole = members.first, whole.keys.isEmpty {
      switch whole.content {
      case .value(let text): text.withUnsafeBufferPointer { writer.raw($0) }
      case .objects(let objects, let form):
        self.form = form
        elementDepth = level + (form == .grouped ? 2 : 1)
        keys.removeAll()
        try objects.withUnsafeBufferPointer { try write($0) }
      }
      return
    }
    writer.beginObject()
    var done: Set<Name> = []
    for member in members {
      guard var key = member.keys.first, done.insert(Name(key)).inserted else { continue }
      let name = Name(key)
      key.withUTF8 { writer.key($0) }
      try write(
        members.filter { $0.keys.first.map(Name.init) == name }.map {
          DocumentMember(keys: $0.keys.dropFirst(), content: $0.content)
        }, level: level + 1)
    }
    writer.endObject()
  }

  // MARK: Values of the document

  /// The values that the objects at roots have of the document, by their paths: those on which all
  /// agree.
  private func documentValues(
    _ objects: [[ObjectID]]
  ) throws -> [(path: JSONKeyPath, text: [UInt8])] {
    var texts: [JSONKeyPath: [UInt8]?] = [:]
    var order: [JSONKeyPath] = []
    guard plan.readsDocument else { return [] }
    for objects in objects {
      try objects.withUnsafeBufferPointer { objects in
        for index in objects.indices {
          try read(objects, at: index)
          let record = try graph.record(objects[index])
          let table = objects[index].table
          let number = PlanIndex(of: graph.entity(record, in: table))
          for (path, step) in documentSteps(of: number) {
            guard graph.tables[table].has(step.field, in: record) else {
              texts[path] = .some(nil)
              continue
            }
            let start = writer.position
            try writeAttribute(step, record: record, table: table, part: -1)
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

  /// The steps of an entity that read the document, and from where.
  private func documentSteps(of number: PlanIndex) -> [(JSONKeyPath, PlanPart<StepPlan>)] {
    let first = Int(plan.entities[number].firstStep)
    return mapping.entities[number].properties.enumerated().compactMap { position, property in
      guard let path = property.inputs.first, path.origin == .root, !path.hasElements,
        property.property.attribute != nil,
        property.property.userInfo["groot.direction"] != "import"
      else { return nil }
      return (JSONKeyPath(path.segments), plan.steps + (first + position))
    }
  }
}
