// Importing what jansson holds.

extension ManagedObjectContext {
  /// Imports a json_t, which is borrowed: an array element by element, anything else as one element.
  package func importJansson(
    _ json: BorrowedJansson, into entity: String?, options: ImportOptions
  ) throws -> ImportResult {
    try importElements(into: entity, options) {
      ImportSource(try ValueElements(of: json, at: options.rootPath))
    }
  }

  /// As ``syncText(_:with:options:)``, from a json_t, which is borrowed.
  package func syncJansson(
    _ json: BorrowedJansson, with entity: String, options: SyncOptions
  ) throws -> ImportResult {
    try syncElements(with: entity, options) { ImportSource(try ValueElements(of: json, at: "")) }
  }

  /// As ``fillText(_:into:options:)``, from a json_t, which is borrowed.
  package func fillJansson(
    _ json: BorrowedJansson, into object: ObjectID, options: ImportOptions
  ) throws -> ImportReport {
    let tape = JSONTape()
    return try fill(object, options: options, on: tape, reader: nil) { _ in
      _ = try JanssonBridge.flatten(json, onto: tape)
    }
  }
}
