// Exporting all that the roots of a mapping have, as one document.

extension ManagedObjectContext {
  /// All objects at the roots of the mapping as one JSON text.
  ///
  /// Each object is written once, at the root whose entity is the nearest to its own; where
  /// relationships lead to it, its identity stands for it. An object without a root is written
  /// where relationships lead to it. An object that was only named is written as its identity
  /// alone.
  ///
  /// - Throws: ``Status/invalidArgument`` when the mapping has no roots, and for lines or a form,
  ///   which roots have; else as ``exportText(_:options:)-(ManagedObject,_)``.
  public func exportText(
    options: ExportOptions = ExportOptions()
  ) throws(GrootError) -> String {
    try withExport(options) { exporter, writer in
      _ = try writeDocument(by: exporter)
      return String(decoding: try writer.finish(), as: UTF8.self)
    }
  }

  /// The same in pieces of some 64 KiB.
  ///
  /// - Parameters:
  ///   - options: The properties that are written, and their form.
  ///   - sink: Is given each piece, borrowed for the call; its error ends the export.
  /// - Returns: The number of objects at roots.
  /// - Throws: as ``exportText(options:)``; the error of `sink` is ``GrootError/underlying``.
  @discardableResult
  public func export(
    options: ExportOptions = ExportOptions(),
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws(GrootError) -> Int {
    try cancellably(.exporting) {
      let writer = JSONWriter(account: graph.memory, sink: sink)
      let count = try writeDocument(by: work.exporter(writer, options: options))
      try writer.finish()
      return count
    }
  }

  /// The same into a file, which appears, or is replaced, when it is complete.
  ///
  /// - Parameters:
  ///   - path: Where the file is to be.
  ///   - options: The properties that are written, and their form.
  /// - Returns: The number of objects at roots.
  /// - Throws: as ``exportText(options:)``; also ``Status/fileError``. The file that was at `path`
  ///   is then untouched.
  @discardableResult
  public func export(
    toFile path: String, options: ExportOptions = ExportOptions()
  ) throws(GrootError) -> Int {
    try GrootError.carrying {
      let file = try OutputFile(path)
      let count = try export(options: options) { try file.write($0) }
      try file.finish()
      return count
    }
  }

  /// Writes the document, and answers the number of objects at roots.
  package func writeDocument(by exporter: Exporter) throws -> Int {
    let mapping = exporter.mapping
    let parts = try documentParts(mapping)
    let entities = mapping.roots.map { mapping.plan.entities[$0.plan].entity }
    let rooted = mapping.entities.map { nearestRoot(to: $0.entity, among: entities) != nil }
    try exporter.writeDocument(parts, rooted: rooted)
    return parts.map(\.objects.count).reduce(0, +)
  }

  /// The objects of each root.
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
