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

  /// Writes a target in pieces of about 64 KiB; returns the number of objects.
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
