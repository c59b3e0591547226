/// An import of text in pieces of any size, for example from a network.
///
/// The result and all errors are the same as for an import of the whole text. The context is busy
/// until the import ends. A stream that is released without ``finish()`` changes nothing.
///
/// ```swift
/// let stream = try context.beginImport(into: "Character")
/// while let piece = try connection.read() { try stream.write(piece) }
/// let characters = try stream.finish()
/// ```
public final class ImportStream {
  private enum State {
    case open
    /// A record is invalid and all changes are undone, but a later syntax error takes precedence.
    case failing(any Error)
    case failed(any Error)
    case ended
  }

  /// The reader of the text.
  private struct Input {
    let reader: JSONReader
    /// The reader of the same text for prefetching; nil when prefetching is not needed.
    var ahead: JSONReader?
  }

  private let context: ManagedObjectContext
  private var state = State.ended
  /// The text until the import ends.
  private var input: Input?
  /// The transaction, with callbacks that may retain the stream; nil after an undo or the end.
  private(set) var transaction: ImportTransaction?
  /// Whether a call uses the stream: neither its callbacks nor another thread may use it then.
  private let use = AtomicFlag()
  /// Whether a callback has cancelled the import.
  private let givenUp = AtomicFlag()

  /// The number of bytes of a piece that are processed at a time.
  private static let portion = 65_536

  fileprivate init(
    _ context: ManagedObjectContext, into entity: String?, options: ImportOptions
  ) throws {
    self.context = context
    // An importer has its own epoch, which would falsify the counts of another import under way.
    try context.beginExclusively()
    do {
      transaction = try begin(into: entity, options: options)
    } catch {
      context.endExclusively()
      throw error
    }
    state = .open
  }

  private func begin(
    into entity: String?, options: ImportOptions
  ) throws -> ImportTransaction {
    let options = options.reading(try context.work.usable(options.mapping), into: entity)
    let number = try entity.map { try context.mapping.plan(of: $0) }
    guard options.batchSize == 0 else {
      throw GrootError(
        .invalidArgument, "an import in pieces is not divided into batches; one from a file is")
    }
    let layout = try options.source()
    func elements() -> ImportElements {
      ImportElements(
        JSONReader(
          fedWith: layout, usesScanner: options.usesScanner, account: context.graph.memory))
    }
    let (elements, ahead) = (elements(), elements())
    var transaction = try ImportTransaction(context.work, elements: elements, options: options)
    do {
      try transaction.takeRecords(of: number)
      let isAhead = try transaction.readAhead(in: ahead, limit: .max)
      input = elements.reader.map { Input(reader: $0, ahead: isAhead ? ahead.reader : nil) }
    } catch {
      transaction.rollBack()
      throw error
    }
    return transaction
  }

  deinit { cancel() }

  /// Takes the next piece of the text, which may end anywhere, even inside a character.
  ///
  /// - Throws: The error of the text when it is read: an incomplete record is read again when its
  ///   length has doubled. ``finish()`` reports an invalid record, since invalid JSON takes
  ///   precedence.
  public func write(_ bytes: UnsafeRawBufferPointer) throws(GrootError) {
    try GrootError.carrying {
      try beginUse()
      defer { endUse() }
      let input = try usableInput()
      // The whole piece is one call for a cancellation, not each portion.
      try context.cancellation.run {
        var rest = bytes[...]
        while !rest.isEmpty {
          let portion = rest.prefix(Self.portion)
          rest = rest.dropFirst(portion.count)
          try take(UnsafeRawBufferPointer(rebasing: portion), input: input)
        }
      }
    }
  }

  private func take(_ portion: UnsafeRawBufferPointer, input: Input) throws {
    do {
      try input.reader.feed(portion)
      try input.ahead?.feed(portion)
    } catch {
      throw fail(error)
    }
    if input.reader.isWorthReading { try readRecords(input.reader) }
  }

  /// Takes the next piece of the text.
  ///
  /// - Throws: as ``write(_:)-(UnsafeRawBufferPointer)``.
  public func write(_ text: String) throws(GrootError) {
    var text = text
    try GrootError.carrying { try text.withUTF8 { try write(UnsafeRawBufferPointer($0)) } }
  }

  /// Ends the text and accepts the import; on failure the graph is unchanged.
  /// - Throws: as ``ManagedObjectContext/importJSON(_:into:options:)``; ``Status/invalidArgument``
  ///   when the import has ended, ``Status/busy`` inside one of its callbacks.
  public func finish() throws(GrootError) -> ImportResult {
    try GrootError.carrying {
      try beginUse()
      defer { endUse() }
      return try finishInUse()
    }
  }

  /// Does the same as ``finish()``, between ``beginUse()`` and ``endUse()``.
  package func finishInUse() throws -> ImportResult {
    try context.cancellation.run { try finishCancellably() }
  }

  private func finishCancellably() throws -> ImportResult {
    let input = try usableInput()
    input.reader.endFeeding()
    input.ahead?.endFeeding()
    try readRecords(input.reader)
    if case .failing(let error) = state { throw fail(error) }
    do {
      try transaction?.finish()
      try requireWanted()
    } catch {
      throw fail(error)
    }
    transaction?.commit()
    let run = transaction?.run
    transaction = nil
    end(.ended)
    return ImportResult(
      context: context, ids: run?.ids ?? [], report: run?.report ?? ImportReport())
  }

  /// Cancels the import and undoes all changes.
  ///
  /// After the end of the import it does nothing. In a callback of the import it makes the current
  /// call fail with ``Status/cancelled``; the changes are undone when that call returns.
  ///
  /// - Returns: Whether the import has ended; false in one of its callbacks.
  @discardableResult
  public func cancel() -> Bool {
    guard use.claim() else {
      _ = givenUp.claim()
      return false
    }
    defer { endUse() }
    cancelInUse()
    return true
  }

  /// Does the same as ``cancel()``, between ``beginUse()`` and ``endUse()``.
  package func cancelInUse() {
    switch state {
    case .open, .failing: end(.ended)
    case .failed, .ended: break
    }
  }

  /// Begins a use of the stream that excludes all others until ``endUse()``.
  ///
  /// - Throws: ``Status/busy`` inside a callback of this import, and from another thread during one
  ///   of its calls.
  package func beginUse() throws {
    guard use.claim() else {
      throw GrootError(
        .busy, "the import is in use: use it outside its callbacks, from one thread at a time")
    }
  }

  package func endUse() { use.clear() }

  /// Throws ``Status/cancelled`` if a callback has cancelled the import.
  private func requireWanted() throws {
    if givenUp.isSet { throw GrootError(.cancelled, "cancelled by a callback") }
  }

  private func usableInput() throws -> Input {
    if case .failed(let error) = state { throw error }
    guard let input else { throw GrootError(.invalidArgument, "the import is over") }
    return input
  }

  /// Imports the records in the text so far.
  private func readRecords(_ reader: JSONReader) throws {
    do { try transaction?.readAllAhead() } catch { throw fail(error) }
    while true {
      do {
        try requireWanted()
        guard try reader.next() else { return }
      } catch is JSONReader.NeedsMoreInput {
        return
      } catch {
        throw fail(error)
      }
      do {
        try transaction?.importElement()
      } catch {
        guard ImportElements.isOverruledBySyntax(error) else { throw fail(error) }
        undo()
        state = .failing(error)
      }
    }
  }

  /// Ends the import with an error, or with an earlier one unless the error is one of syntax.
  private func fail(_ error: any Error) -> any Error {
    var final = error
    if case .failing(let held) = state, (error as? GrootError)?.status != .invalidJSON {
      final = held
    }
    end(.failed(final))
    return final
  }

  private func end(_ last: State) {
    undo()
    state = last
    input = nil
    context.endExclusively()
  }

  private func undo() {
    transaction?.rollBack()
    transaction = nil
  }
}

extension ManagedObjectContext {
  /// Begins an import of JSON text in pieces; the context is busy until the import ends.
  ///
  /// Without an entity the text is an envelope, as in
  /// ``ManagedObjectContext/importJSON(_:into:options:)``.
  ///
  /// - Throws: ``Status/busy``, ``Status/unknownEntity``, and errors of the options.
  public func beginImport(
    into entity: String?, options: ImportOptions = ImportOptions()
  ) throws(GrootError) -> ImportStream {
    try GrootError.carrying { try ImportStream(self, into: entity, options: options) }
  }
}
