// Exports of more objects than memory holds: the objects of a fetch, streamed from the store.

extension ManagedObjectContext {
  /// Writes the objects of a fetch as JSON text, an array or lines, in pieces of about 64 KiB.
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
      if !isBegun { document.begin() }
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
    document.end()
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

  var isFull: Bool { rows.count >= Exporter.windowSize * 4 }

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
