/// An import whose text comes in pieces of any size, from a network for example.
///
/// The result, and each error, is that of the import of the whole text. From its beginning to its
/// end the context is busy. A stream that is given up without ``finish()`` has done nothing.
///
/// ```swift
/// let stream = try context.beginImport(into: "Character")
/// while let piece = try connection.read() { try stream.write(piece) }
/// let characters = try stream.finish()
/// ```
public final class ImportStream {
  private enum State {
    case open
    /// A record is wrong, and all is undone; but text that is no JSON is called that first.
    case failing(any Error)
    case failed(any Error)
    case ended
  }

  private let context: ManagedObjectContext
  private let options: ImportOptions
  private let reader: JSONReader
  /// What looks ahead in the text, and the reader it looks with; nil when there is nothing to see.
  private let prefetcher: (reader: JSONReader, prefetcher: IdentityPrefetcher)?
  private var run: ImportRun
  /// The entity that records are imported into; nil for batches.
  private let entity: PlanIndex?
  private var state = State.open
  /// Whether the graph's savepoint is still there.
  private var hasSavepoint = true
  /// Whether callbacks may be running.
  private var isReading = false
  /// Whether one of them has given the import up.
  private var isGivenUp = false

  /// As much as is taken of a piece at once.
  private static let portion = 65_536

  fileprivate init(
    _ context: ManagedObjectContext, into entity: String?, options: ImportOptions
  ) throws {
    // An importer has an epoch of its own: in the midst of another import it would spoil its counts.
    try context.requireIdle()
    let number = try entity.map { try context.mapping.plan(of: $0) }
    self.entity = number
    self.context = context
    self.options = options
    guard options.batchSize == 0 else {
      throw GrootError(
        .invalidArgument, "an import in pieces is not divided into batches; one from a file is")
    }
    let source = try options.source()
    reader = JSONReader(fedWith: source, usesScanner: options.usesScanner)
    let ahead = JSONReader(fedWith: source, usesScanner: options.usesScanner)
    prefetcher = try context.prefetcher(into: number, options) { ImportSource(ahead) }.map {
      (ahead, $0)
    }
    let importer = try context.importer(reader.tape, options: options)
    run = ImportRun(importer, options: options)
    if number == nil { try run.requireBatches() }
    try context.beginExclusively()
    context.coordinator?.beginImport(listsChanges: importer.listsChanges)
    context.graph.begin()
    importer.reader = reader
    if let number = self.entity { run.note(entity: number) }
  }

  deinit { cancel() }

  /// Takes the next piece of the text; its end may stand anywhere, also inside of a character.
  ///
  /// - Throws: what is wrong with the text, when it is looked at: a record that is not whole is
  ///   looked at again when twice as much is there. A record that is wrong is told by ``finish()``,
  ///   since text that is no JSON is called that first.
  public func write(_ bytes: UnsafeRawBufferPointer) throws {
    try requireUsable()
    var rest = bytes[...]
    while !rest.isEmpty {
      let portion = rest.prefix(Self.portion)
      rest = rest.dropFirst(portion.count)
      do {
        try reader.feed(UnsafeRawBufferPointer(rebasing: portion))
        try prefetcher?.reader.feed(UnsafeRawBufferPointer(rebasing: portion))
      } catch {
        throw fail(error)
      }
      if reader.isWorthReading { try read() }
    }
  }

  /// Takes the next piece of the text.
  public func write(_ text: String) throws {
    var text = text
    try text.withUTF8 { try write(UnsafeRawBufferPointer($0)) }
  }

  /// Ends the text, and accepts what was imported, or fails and leaves the graph as it was.
  public func finish() throws -> ImportResult {
    try requireUsable()
    reader.endFeeding()
    prefetcher?.reader.endFeeding()
    try read()
    if case .failing(let error) = state { throw fail(error) }
    do {
      isReading = true
      defer { isReading = false }
      try run.finish()
      try requireWanted()
    } catch {
      throw fail(error)
    }
    if options.isDryRun { context.graph.rollBack() } else { context.graph.commit() }
    hasSavepoint = false
    end(.ended)
    let ids = options.isDryRun ? run.ids.filter { context.status(of: $0) == .ok } : run.ids
    return ImportResult(context: context, ids: ids, report: run.report)
  }

  /// Gives the import up: nothing has happened.
  ///
  /// Does nothing when the import is over already. In one of its own callbacks it makes the call
  /// that is calling back fail with ``Status/cancelled``, and all is undone when that returns.
  public func cancel() {
    if isReading {
      isGivenUp = true
      return
    }
    switch state {
    case .open, .failing: end(.ended)
    case .failed, .ended: break
    }
  }

  /// Whether a call of this import is under way, which may be calling back.
  package var isBusy: Bool { isReading }

  /// Throws ``Status/busy`` inside of a callback of this import.
  package func requireNotReading() throws {
    if isReading {
      throw GrootError(.busy, "a callback must not use the import that is calling it")
    }
  }

  /// Throws ``Status/cancelled`` when a callback has given the import up.
  private func requireWanted() throws {
    if isGivenUp { throw GrootError(.cancelled, "a callback of the import gave it up") }
  }

  private func requireUsable() throws {
    try requireNotReading()
    switch state {
    case .open, .failing: break
    case .failed(let error): throw error
    case .ended: throw GrootError(.invalidArgument, "the import is over")
    }
  }

  /// Imports the records that are at hand.
  private func read() throws { try context.cancellation.run(readRecords) }

  private func readRecords() throws {
    isReading = true
    defer { isReading = false }
    if case .open = state, let prefetcher {
      do { try prefetcher.prefetcher.prefetchAll() } catch { throw fail(error) }
    }
    while true {
      do {
        try requireWanted()
        guard try reader.next() else { return }
      } catch is JSONReader.NeedsMoreInput {
        return
      } catch {
        throw fail(error)
      }
      guard case .open = state else { continue }
      do {
        if let entity { try run.importRecord(into: entity) } else { try run.importBatch() }
      } catch {
        guard ManagedObjectContext.isOverruledBySyntax(error) else { throw fail(error) }
        undo()
        state = .failing(error)
      }
    }
  }

  /// Ends the import with an error, or with that of a record, which comes before all but syntax.
  private func fail(_ error: any Error) -> any Error {
    var final = error
    if case .failing(let held) = state, (error as? GrootError)?.status != .invalidJSON {
      final = held
    }
    end(.failed(final))
    return final
  }

  private func end(_ last: State) {
    state = last
    undo()
    context.endExclusively()
  }

  private func undo() {
    if hasSavepoint { context.graph.rollBack() }
    hasSavepoint = false
    context.coordinator?.endImport()
  }
}

extension ManagedObjectContext {
  /// Begins an import of JSON text that comes in pieces; the context is busy until it ends.
  ///
  /// Without an entity it is a batch, as in ``importText(_:into:options:)``.
  ///
  /// - Throws: ``Status/busy``, ``Status/unknownEntity``, and what is wrong with the options.
  public func beginImport(
    into entity: String?, options: ImportOptions = ImportOptions()
  ) throws -> ImportStream {
    try ImportStream(self, into: entity, options: options)
  }
}
