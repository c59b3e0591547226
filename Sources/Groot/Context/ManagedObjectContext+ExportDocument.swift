// Exporting the objects of all roots of a mapping as one document.

extension ManagedObjectContext {
  /// Returns all objects at the roots of the mapping as one JSON text.
  ///
  /// Each object is written once, at the root whose entity is nearest to its own. Relationships to
  /// it contain only its identity. An object without a root is written inside the relationships to
  /// it. An object that was only named is written as its identity.
  ///
  /// - Throws: ``Status/invalidArgument`` for a mapping without roots, and for lines or a form,
  ///   which roots determine; else as ``exportText(_:options:)-(ManagedObject,_)``.
  public func exportText(
    options: ExportOptions = ExportOptions()
  ) throws(GrootError) -> String {
    try exportText(.document, options: options)
  }

  /// Writes the same text in pieces of about 64 KiB.
  ///
  /// - Parameters:
  ///   - options: The properties to write, and their form.
  ///   - sink: The function that gets each piece, borrowed for the call; its error ends the export.
  /// - Returns: The number of objects at roots.
  /// - Throws: as ``exportText(options:)``; the error of `sink` is ``GrootError/underlying``.
  @discardableResult
  public func export(
    options: ExportOptions = ExportOptions(),
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws(GrootError) -> Int {
    try export(.document, options: options, to: sink)
  }

  /// Writes the same text to a file, which is created or replaced when the text is complete.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - options: The properties to write, and their form.
  /// - Returns: The number of objects at roots.
  /// - Throws: as ``exportText(options:)``; also ``Status/fileError``. An existing file at `path`
  ///   is then unchanged.
  @discardableResult
  public func export(
    toFile path: String, options: ExportOptions = ExportOptions()
  ) throws(GrootError) -> Int {
    try export(.document, options: options, toFile: path)
  }

  /// Writes the document, and returns the number of objects at roots.
  func writeDocument(by exporter: Exporter) throws -> Int {
    let mapping = exporter.mapping
    let parts = try documentParts(mapping)
    let entities = mapping.roots.map { mapping.plan.entities[$0.plan].entity }
    let rooted = mapping.entities.map { nearestRoot(to: $0.entity, among: entities) != nil }
    try exporter.writeDocument(parts, rooted: rooted)
    return parts.map(\.objects.count).reduce(0, +)
  }

  /// Returns the objects of each root.
  private func documentParts(
    _ mapping: Mapping
  ) throws -> [(part: DocumentPart, objects: [ObjectID])] {
    guard !mapping.roots.isEmpty else {
      throw GrootError(
        .invalidArgument, "an export without an entity needs a mapping with roots")
    }
    let entities = mapping.roots.map { mapping.plan.entities[$0.plan].entity }
    return try mapping.roots.enumerated().map { position, part in
      let entity = model.resolved[entities[position]]
      let all = try findIDs(FetchRequest(entity.name))
      let own = try all.filter { object in
        if graph.isPlaceholder(object.row, in: object.table) { return false }
        let actual = graph.entity(try graph.record(object), in: object.table)
        return nearestRoot(to: actual, among: entities) == position
      }
      return (part, own)
    }
  }

  private func nearestRoot(to entity: EntityIndex, among roots: [EntityIndex]) -> Int? {
    var next: EntityIndex? = entity
    while let ancestor = next {
      if let position = roots.firstIndex(of: ancestor) { return position }
      next = model.resolved[ancestor].parent
    }
    return nil
  }
}
