// The one way of all exports: a target is written to memory, to a function or to a file.

/// The objects that an export writes; arrays are borrowed for the call.
package enum ExportTarget {
  /// One object, as a JSON object.
  case object(ObjectID)
  /// Several objects, in the form of the options.
  case objects(UnsafeBufferPointer<ObjectID>)
  /// The objects of a fetch, in the form of the options.
  case request(FetchRequest)
  /// All objects at the roots of the mapping, as one document.
  case document
}

extension ExportTarget {
  /// Calls `body` with several objects as a target.
  @discardableResult
  package static func borrowing<Result>(
    _ objects: [ObjectID], body: (ExportTarget) throws -> Result
  ) throws(GrootError) -> Result {
    try GrootError.carrying { try objects.withUnsafeBufferPointer { try body(.objects($0)) } }
  }
}

extension ManagedObjectContext {
  /// Writes a target into memory, and calls `body` with the writer and the number of objects.
  ///
  /// With `asDoubles` a decimal that a double would round is written as a string.
  package func withExport<Result>(
    of target: ExportTarget, options: ExportOptions, asDoubles: Bool = false,
    body: (JSONWriter, Int) throws -> Result
  ) throws(GrootError) -> Result {
    try cancellably(.exporting) {
      let writer = JSONWriter(account: graph.memory)
      writer.isReadAsDoubles = asDoubles
      return try body(writer, write(target, to: writer, options: options))
    }
  }

  /// Writes a target as text.
  func exportText(
    _ target: ExportTarget, options: ExportOptions
  ) throws(GrootError) -> String {
    try withExport(of: target, options: options) { writer, _ in
      String(decoding: try writer.finish(), as: UTF8.self)
    }
  }

  /// Writes a target in pieces of about 256 KiB; returns the number of objects.
  @discardableResult
  package func export(
    _ target: ExportTarget, options: ExportOptions,
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws(GrootError) -> Int {
    try cancellably(.exporting) {
      let writer = JSONWriter(account: graph.memory, sink: sink)
      let count = try write(target, to: writer, options: options)
      try writer.finish()
      return count
    }
  }

  /// Writes a target to a file that appears, or is replaced, when the text is complete.
  @discardableResult
  package func export(
    _ target: ExportTarget, options: ExportOptions, toFile path: String
  ) throws(GrootError) -> Int {
    try GrootError.carrying {
      let file = try OutputFile(path)
      let count = try export(target, options: options) { try file.write($0) }
      try file.finish()
      return count
    }
  }

  /// Writes a target inside a call that uses the context; returns the number of objects.
  private func write(
    _ target: ExportTarget, to writer: JSONWriter, options: ExportOptions
  ) throws -> Int {
    switch target {
    case .object(let object):
      try work.exporter(writer, options: options).write(object)
      return 1
    case .objects(let objects):
      try work.exporter(writer, options: options).write(objects)
      return objects.count
    case .request(let request): return try write(request, to: writer, options: options)
    case .document: return try writeDocument(by: work.exporter(writer, options: options))
    }
  }
}

extension UnitOfWork {
  /// Returns an exporter of the objects.
  func exporter(_ writer: JSONWriter, options: ExportOptions) throws -> Exporter {
    try Exporter(
      graph: graph, store: coordinator, mapping: usable(options.mapping), writer: writer,
      options: options)
  }
}

// Exporting objects as JSON text.

extension ManagedObjectContext {
  /// Returns one object as JSON text.
  ///
  /// - Throws: ``Status/objectDeleted``, ``Status/unknownObject``; ``Status/invalidArgument`` for
  ///   an object of another context; the error of a reverse transformer is
  ///   ``GrootError/underlying``.
  public func exportText(
    _ object: ManagedObject, options: ExportOptions = ExportOptions()
  ) throws(GrootError) -> String {
    try requireOwn(object)
    return try exportText(.object(object.id), options: options)
  }

  /// Returns objects as JSON text, an array.
  ///
  /// - Throws: as ``exportText(_:options:)-(ManagedObject,_)``.
  public func exportText(
    _ objects: some Sequence<ManagedObject>, options: ExportOptions = ExportOptions()
  ) throws(GrootError) -> String {
    let ids = try ids(of: objects)
    return try ExportTarget.borrowing(ids) { try exportText($0, options: options) }
  }

  /// Returns one object as a JSON value.
  ///
  /// - Throws: as ``exportText(_:options:)-(ManagedObject,_)``.
  public func exportValue(
    _ object: ManagedObject, options: ExportOptions = ExportOptions()
  ) throws(GrootError) -> JSONValue {
    try JSONValue(parsing: exportText(object, options: options))
  }

  /// Returns objects as a JSON value, an array.
  ///
  /// - Throws: as ``exportText(_:options:)-(ManagedObject,_)``.
  public func exportValue(
    _ objects: some Sequence<ManagedObject>, options: ExportOptions = ExportOptions()
  ) throws(GrootError) -> JSONValue {
    var options = options
    options.writesLines = false
    return try JSONValue(parsing: exportText(objects, options: options))
  }

  /// Returns objects as JSON text in bytes, an array.
  ///
  /// - Throws: as ``exportText(_:options:)-(ManagedObject,_)``.
  public func exportBytes(
    _ objects: [ObjectID], options: ExportOptions = ExportOptions()
  ) throws(GrootError) -> [UInt8] {
    try ExportTarget.borrowing(objects) { target in
      try withExport(of: target, options: options) { writer, _ in Array(try writer.finish()) }
    }
  }

  /// Writes objects as JSON text, an array, in pieces of about 256 KiB.
  ///
  /// Memory does not grow with the text.
  ///
  /// - Parameters:
  ///   - objects: The ids of the objects, in the order of the output.
  ///   - options: The properties to write, and their form.
  ///   - sink: The function that gets each piece, borrowed for the call; its error ends the export.
  /// - Throws: as ``exportText(_:options:)-(ManagedObject,_)``; the error of `sink` is
  ///   ``GrootError/underlying``.
  public func export(
    _ objects: [ObjectID], options: ExportOptions = ExportOptions(),
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws(GrootError) {
    try ExportTarget.borrowing(objects) { try export($0, options: options, to: sink) }
  }

  /// Writes objects as JSON text, an array, to a file.
  ///
  /// The file is created or replaced only when the text is complete.
  ///
  /// - Parameters:
  ///   - objects: The ids of the objects, in the order of the output.
  ///   - path: The path of the file.
  ///   - options: The properties to write, and their form.
  /// - Throws: as ``exportText(_:options:)-(ManagedObject,_)``; also ``Status/fileError``. An
  ///   existing file at `path` is then unchanged.
  public func export(
    _ objects: [ObjectID], toFile path: String, options: ExportOptions = ExportOptions()
  ) throws(GrootError) {
    try ExportTarget.borrowing(objects) { try export($0, options: options, toFile: path) }
  }
}

// Exports of more objects than memory holds: the objects of a fetch, streamed from the store.

extension ManagedObjectContext {
  /// Writes the objects of a fetch as JSON text, an array or lines, in pieces of about 256 KiB.
  ///
  /// On a store without unsaved changes, only a window of objects and their relationships is in
  /// memory.
  ///
  /// - Parameters:
  ///   - request: The request for the objects, with their order.
  ///   - options: The properties to write, and their form.
  ///   - sink: The function that gets each piece, borrowed for the call; its error ends the export.
  /// - Returns: The number of written objects.
  /// - Throws: as ``fetch(_:)-(FetchRequest)`` and ``exportText(_:options:)-(ManagedObject,_)``;
  ///   the error of `sink` is ``GrootError/underlying``.
  @discardableResult
  public func export(
    _ request: FetchRequest, options: ExportOptions = ExportOptions(),
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws(GrootError) -> Int {
    try export(.request(request), options: options, to: sink)
  }

  /// Writes the same text to a file, which is created or replaced when the text is complete.
  ///
  /// - Parameters:
  ///   - request: The request for the objects, with their order.
  ///   - path: The path of the file.
  ///   - options: The properties to write, and their form.
  /// - Returns: The number of written objects.
  /// - Throws: as ``fetch(_:)-(FetchRequest)`` and ``exportText(_:options:)-(ManagedObject,_)``;
  ///   also ``Status/fileError``. An existing file at `path` is then unchanged.
  @discardableResult
  public func export(
    _ request: FetchRequest, toFile path: String, options: ExportOptions = ExportOptions()
  ) throws(GrootError) -> Int {
    try export(.request(request), options: options, toFile: path)
  }

  /// Writes the objects of a fetch inside a call that uses the context; returns their number.
  func write(
    _ request: FetchRequest, to writer: JSONWriter, options: ExportOptions
  ) throws -> Int {
    if let count = try writeFromStore(request, to: writer, options: options) { return count }
    let objects = try findIDs(request)
    let exporter = try work.exporter(writer, options: options)
    try objects.withUnsafeBufferPointer { try exporter.write($0) }
    return objects.count
  }

  /// Exports from the store; returns nil without one, or if objects must be evaluated in memory.
  private func writeFromStore(
    _ request: FetchRequest, to writer: JSONWriter, options: ExportOptions
  ) throws -> Int? {
    guard let coordinator, !graph.mayHaveChanges, !coordinator.isStale, options.form != .grouped
    else { return nil }
    var options = options
    options.keys = KeyTable(graph.memory)
    let entity = try model.index(of: request.entity)
    let order = try FetchOrder(request.sortKeys, of: entity, model: model)
    var query = StoreQuery(
      model.resolved[entity], predicate: try predicate(of: request, entity), keys: order.keys)
    query.limit(to: request, isAlone: true)
    try coordinator.beginSnapshot()
    let document = try work.exporter(writer, options: options)
    // A fetch that the store cannot run gives no row, and must not write either.
    var isBegun = false
    func begin() {
      if !isBegun { document.collection.begin() }
      isBegun = true
    }
    var window = try ExportWindow(work, coordinator: coordinator, table: query.table)
    var count = 0
    let isDone = try coordinator.store.fetch(query) { row in
      begin()
      try window.add(row)
      count += 1
      if window.isFull {
        try window.write(writer, options: options)
        window = try ExportWindow(work, coordinator: coordinator, table: query.table)
      }
    }
    guard isDone else { return nil }
    begin()
    try window.write(writer, options: options)
    document.collection.end()
    return count
  }
}

/// Some objects of a fetch, in their own graph.
private struct ExportWindow {
  private let work: UnitOfWork
  private let coordinator: StoreCoordinator
  private let table: TableIndex
  private var rows: [Row] = []

  init(_ whole: UnitOfWork, coordinator: StoreCoordinator, table: TableIndex) throws {
    work = try UnitOfWork(beside: whole, on: coordinator)
    self.coordinator = work.coordinator ?? coordinator
    self.table = table
    try self.coordinator.beginMaterializing()
  }

  var isFull: Bool { rows.count >= ExportReader.windowSize * 4 }

  mutating func add(_ row: StoreRow) throws {
    if let row = try coordinator.materialize(row, table: table) { rows.append(row) }
  }

  func write(_ writer: JSONWriter, options: ExportOptions) throws {
    try coordinator.endMaterializing()
    let objects = rows.map { work.graph.tables[table].id($0) }
    try objects.withUnsafeBufferPointer {
      try work.exporter(writer, options: options).writeElements($0)
    }
  }
}

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

  /// Writes the same text in pieces of about 256 KiB.
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
    try DocumentExport(exporter).write(parts, rooted: rooted)
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
