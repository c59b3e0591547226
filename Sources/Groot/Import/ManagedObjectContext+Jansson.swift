import CJansson

// Importing what jansson holds.

extension ManagedObjectContext {
  /// Imports a json_t, which is borrowed: an array element by element, anything else as one element.
  package func importJansson(
    _ json: UnsafeMutablePointer<json_t>, into entity: String, options: ImportOptions
  ) throws -> ImportResult {
    let tape = JSONTape()
    let isArray = json.pointee.type == JSON_ARRAY
    guard isArray || json.pointee.type == JSON_OBJECT else { throw Self.noDocument }
    let count = isArray ? json_array_size(json) : 1
    var next = 0
    return try importElements(into: entity, options, tape: tape) { importer in
      guard next < count else { return false }
      tape.reset()
      if let element = isArray ? json_array_get(json, next) : json {
        try JanssonBridge.flatten(element, onto: tape)
      }
      importer.elementPath = isArray ? "$" + JSONPath.element(next) : "$"
      next += 1
      return tape.count > 0
    }
  }
}
