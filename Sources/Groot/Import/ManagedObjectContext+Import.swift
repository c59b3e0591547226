// Importing JSON. An import happens whole or not at all: on failure the graph is as it was.

extension ManagedObjectContext {
  /// Imports JSON text: one object, or an array of objects, of identifiers, or of both.
  ///
  /// - Returns: The object of each element in order. A null element has none; one object may stand
  ///   there several times.
  /// - Throws: ``GrootError`` with path, line and column; what a callback threw is its
  ///   ``GrootError/underlying``.
  @discardableResult
  public func importText(
    _ text: String, into entity: String, options: ImportOptions = ImportOptions()
  ) throws -> [ManagedObject] {
    var text = text
    let ids = try text.withUTF8 {
      try importBytes(UnsafeRawBufferPointer($0), into: entity, options: options)
    }
    return ids.map { ManagedObject(context: self, id: $0) }
  }

  /// Imports JSON text in memory that is borrowed for the call.
  public func importBytes(
    _ text: UnsafeRawBufferPointer, into entity: String, options: ImportOptions = ImportOptions()
  ) throws -> [ObjectID] {
    let reader = JSONReader(text: text, usesScanner: options.usesScanner)
    return try importElements(of: reader, into: entity, options)
  }

  /// Imports JSON text from a file, piece by piece: memory does not grow with the file.
  ///
  /// - Throws: also ``Status/fileError``.
  public func importFile(
    _ path: String, into entity: String, options: ImportOptions = ImportOptions()
  ) throws -> [ObjectID] {
    let file = try InputFile(path)
    let reader = JSONReader(usesScanner: options.usesScanner) { try file.read(into: $0) }
    return try importElements(of: reader, into: entity, options)
  }

  /// Imports a JSON value.
  @discardableResult
  public func importValue(
    _ json: JSONValue, into entity: String, options: ImportOptions = ImportOptions()
  ) throws -> [ManagedObject] {
    let tape = JSONTape()
    let elements: [JSONValue]
    let isArray: Bool
    switch json {
    case .array(let list): (elements, isArray) = (list, true)
    case .object: (elements, isArray) = ([json], false)
    default: throw Self.noDocument
    }
    var next = 0
    let ids = try importElements(into: entity, options, tape: tape) { importer in
      guard next < elements.count else { return false }
      tape.reset()
      _ = try elements[next].append(to: tape)
      importer.elementPath = isArray ? "$" + JSONPath.element(next) : "$"
      next += 1
      return true
    }
    return ids.map { ManagedObject(context: self, id: $0) }
  }

  /// As in text, only an object or an array stands at the top level.
  static var noDocument: GrootError {
    GrootError(
      Issue(.wrongShape, "an import takes an object or an array, not a single value", path: "$"))
  }

  private func importElements(
    of reader: JSONReader, into entity: String, _ options: ImportOptions
  ) throws -> [ObjectID] {
    try importElements(into: entity, options, tape: reader.tape, reader: reader) { importer in
      try reader.next()
    }
  }

  /// Imports what `next` puts on the tape, until it answers false, inside one savepoint.
  package func importElements(
    into entity: String, _ options: ImportOptions, tape: JSONTape, reader: JSONReader? = nil,
    next: (Importer) throws -> Bool
  ) throws -> [ObjectID] {
    try exclusively {
      let importer = Importer(graph: graph, mapping: mapping, tape: tape)
      importer.reader = reader
      var ids: [ObjectID] = []
      var records = 0
      graph.begin()
      do {
        let number = try model.index(of: entity)
        while try next(importer) {
          if let id = try importer.importElement(into: number) { ids.append(id) }
          records &+= 1
          if let progress = options.progress, records & 1023 == 0 {
            try report(progress, importer, records)
          }
        }
        if let progress = options.progress { try report(progress, importer, records) }
      } catch {
        graph.rollBack()
        throw reader.map { syntaxError(in: $0, before: error) } ?? error
      }
      graph.commit()
      return ids
    }
  }

  /// A text that is no JSON is called that, even when an element before the fault cannot be imported:
  /// so it makes no difference whether a text is read at once or piece by piece.
  private func syntaxError(in reader: JSONReader, before error: any Error) -> any Error {
    guard let grootError = error as? GrootError,
      ![.cancelled, .callbackFailed, .fileError, .limitExceeded].contains(grootError.status)
    else { return error }
    do {
      while try reader.next() {}
    } catch let later as GrootError where later.status == .invalidJSON {
      return later
    } catch {}
    return error
  }

  private func report(
    _ progress: (ImportProgress) throws -> Bool, _ importer: Importer, _ records: Int
  ) throws {
    let state = ImportProgress(
      bytes: importer.reader?.bytesConsumed ?? 0, records: records,
      inserted: importer.insertedCount, updated: importer.updatedCount)
    guard try progress(state) else {
      throw GrootError(
        .cancelled, "the progress callback ended the import after \(records) records")
    }
  }
}
