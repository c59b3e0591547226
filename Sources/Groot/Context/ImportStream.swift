/// An import whose text comes in pieces of any size, from a network for example.
///
/// The result, and each error, is that of the import of the whole text. From its beginning to its
/// end the context is busy. A stream that is abandoned without ``finish()`` has done nothing.
///
/// ```swift
/// let stream = try context.beginImport(into: "Character")
/// while let piece = try connection.read() { try stream.write(piece) }
/// let characters = try stream.finish()
/// ```
public final class ImportStream {
  private enum State {
    case open
    /// A record is wrong, and all is undone; but invalid JSON is reported first.
    case failing(any Error)
    case failed(any Error)
    case ended
  }

  /// The reader of the text.
  private struct Input {
    let reader: JSONReader
    /// Reads the same text for what looks ahead; nil when there is nothing to ask for.
    var ahead: JSONReader?
  }

  private let context: ManagedObjectContext
  private var state = State.ended
  /// The text, until the import is over.
  private var input: Input?
  /// The records so far, and the callbacks, which may hold the stream; nil when all is undone or
  /// over.
  private var transaction: ImportTransaction?
  /// Set while a call uses the stream: neither its callbacks nor another thread may.
  private let use = AtomicFlag()
  /// Set when a callback has given the import up.
  private let givenUp = AtomicFlag()

  /// As much as is taken of a piece at once.
  private static let portion = 65_536

  fileprivate init(
    _ context: ManagedObjectContext, into entity: String?, options: ImportOptions
  ) throws {
    self.context = context
    // An importer has an epoch of its own: in the midst of another import it would spoil its
    // counts.
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

  /// Takes the next piece of the text; it may end anywhere, also inside a character.
  ///
  /// - Throws: the error of the text, when it is looked at: an incomplete record is looked at again
  ///   when twice as much of it has come. A wrong record is reported by ``finish()``, since invalid
  ///   JSON is reported first.
  public func write(_ bytes: UnsafeRawBufferPointer) throws(GrootError) {
    try GrootError.carrying {
      try beginUse()
      defer { endUse() }
      let input = try usableInput()
      // One call as to cancelling, not one for each portion.
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

  /// Ends the text, and accepts what was imported, or fails and leaves the graph as it was.
  ///
  /// - Throws: as ``ManagedObjectContext/importJSON(_:into:options:)``; ``Status/invalidArgument``
  ///   when the import is over, ``Status/busy`` inside one of its callbacks.
  public func finish() throws(GrootError) -> ImportResult {
    try GrootError.carrying {
      try beginUse()
      defer { endUse() }
      return try finishInUse()
    }
  }

  /// Does what ``finish()`` does, between ``beginUse()`` and ``endUse()``.
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

  /// Gives the import up: nothing has happened.
  ///
  /// Does nothing when the import is over already. In one of its own callbacks it makes the call
  /// that is calling back fail with ``Status/cancelled``, and all is undone when that returns.
  ///
  /// - Returns: Whether it is over; false in one of its callbacks.
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

  /// Does what ``cancel()`` does, between ``beginUse()`` and ``endUse()``.
  package func cancelInUse() {
    switch state {
    case .open, .failing: end(.ended)
    case .failed, .ended: break
    }
  }

  /// Begins what makes all other use of the stream fail until ``endUse()``.
  ///
  /// - Throws: ``Status/busy`` inside a callback of this import, and from another thread during
  ///   a call of it.
  package func beginUse() throws {
    guard use.claim() else {
      throw GrootError(
        .busy, "a callback must not use the import that is calling it, nor another thread")
    }
  }

  package func endUse() { use.clear() }

  /// Throws ``Status/cancelled`` when a callback has given the import up.
  private func requireWanted() throws {
    if givenUp.isSet { throw GrootError(.cancelled, "cancelled by a callback") }
  }

  private func usableInput() throws -> Input {
    if case .failed(let error) = state { throw error }
    guard let input else { throw GrootError(.invalidArgument, "the import is over") }
    return input
  }

  /// Imports the records that were fed so far.
  private func readRecords(_ reader: JSONReader) throws {
    do { try transaction?.prefetchAll() } catch { throw fail(error) }
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
  /// Begins an import of JSON text that comes in pieces; the context is busy until it ends.
  ///
  /// Without an entity it is an envelope, as in
  /// ``ManagedObjectContext/importJSON(_:into:options:)``.
  ///
  /// - Throws: ``Status/busy``, ``Status/unknownEntity``, and what is wrong with the options.
  public func beginImport(
    into entity: String?, options: ImportOptions = ImportOptions()
  ) throws(GrootError) -> ImportStream {
    try GrootError.carrying { try ImportStream(self, into: entity, options: options) }
  }
}
