import CJansson

// Importing what jansson holds.

extension ManagedObjectContext {
  /// Imports a json_t, which is borrowed: an array element by element, anything else as one element.
  package func importJansson(
    _ json: UnsafeMutablePointer<json_t>, into entity: String?, options: ImportOptions
  ) throws -> ImportResult {
    try importElements(into: entity, options) {
      try Self.elements(of: json, at: options.rootPath)
    }
  }

  /// As ``syncText(_:with:options:)``, from a json_t, which is borrowed.
  package func syncJansson(
    _ json: UnsafeMutablePointer<json_t>, with entity: String, options: SyncOptions
  ) throws -> ImportResult {
    try syncElements(with: entity, options) { try Self.elements(of: json, at: "") }
  }

  /// As ``fillText(_:into:options:)``, from a json_t, which is borrowed.
  package func fillJansson(
    _ json: UnsafeMutablePointer<json_t>, into object: ObjectID, options: ImportOptions
  ) throws -> ImportReport {
    let tape = JSONTape()
    return try fill(object, options, tape, nil) { _ in
      _ = try JanssonBridge.flatten(json, onto: tape)
    }
  }

  /// Puts one element after the other on the tape; false at the end.
  private static func elements(
    of json: UnsafeMutablePointer<json_t>, at rootPath: String
  ) throws -> ImportSource {
    let tape = JSONTape()
    let pointer = try JSONPointer(rootPath)
    let (root, path) = try pointer.root(of: json)
    let isArray = root.pointee.type == JSON_ARRAY
    guard isArray || root.pointee.type == JSON_OBJECT else {
      throw pointer.keys.isEmpty ? noDocument : pointer.leadsToScalar
    }
    let count = isArray ? json_array_size(root) : 1
    var next = 0
    return ImportSource(tape: tape) { importer in
      guard next < count else { return false }
      tape.reset()
      if let element = isArray ? json_array_get(root, next) : root {
        try JanssonBridge.flatten(element, onto: tape)
      }
      importer.elementPath = isArray ? path + JSONPath.element(next) : path
      next += 1
      return tape.count > 0
    }
  }

  /// The same for a JSON value.
  static func elements(
    of json: JSONValue, at rootPath: String
  ) throws -> ImportSource {
    let tape = JSONTape()
    let elements: [JSONValue]
    let isArray: Bool
    let pointer = try JSONPointer(rootPath)
    let (root, path) = try pointer.root(of: json)
    switch root {
    case .array(let list): (elements, isArray) = (list, true)
    case .object: (elements, isArray) = ([root], false)
    default: throw pointer.keys.isEmpty ? noDocument : pointer.leadsToScalar
    }
    var next = 0
    return ImportSource(tape: tape) { importer in
      guard next < elements.count else { return false }
      tape.reset()
      _ = try elements[next].append(to: tape)
      importer.elementPath = isArray ? path + JSONPath.element(next) : path
      next += 1
      return true
    }
  }
}
