import CGroot
import CJansson
import Groot

/// Makes a model from a model document in JSON text.
@_cdecl("groot_model_create") @implementation
public func groot_model_create(
  _ document: UnsafePointer<CChar>?, _ length: Int, _ model: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let model = try result(model, zero: nil, what: "model")
    let text = try text(document, length: length, what: "text")
    model.pointee = ModelHandle(try ManagedObjectModel(document: text)).retained()
  }
}

/// As groot_model_create, from a document that is a json_t object already.
@_cdecl("groot_model_create_json") @implementation
public func groot_model_create_json(
  _ document: UnsafePointer<json_t>?, _ model: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let model = try result(model, zero: nil, what: "model")
    let json = try value(document, what: "document")
    model.pointee = ModelHandle(try ManagedObjectModel(document: json)).retained()
  }
}

/// The model as a model document with every default spelled out and, per entity, the list
/// "allProperties" of own and inherited property names.
@_cdecl("groot_model_document") @implementation
public func groot_model_document(
  _ model: OpaquePointer?, _ document: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let document = try result(document, zero: nil, what: "document")
    document.pointee = try newJSON(ModelHandle.from(model).model.document)
  }
}

/// Frees the handle.
@_cdecl("groot_model_free") @implementation
public func groot_model_free(_ model: OpaquePointer?) { Handle.release(model, kind: .model) }

/// The value of a json_t that a caller handed over.
func value(_ json: UnsafePointer<json_t>?, what: String) throws -> JSONValue {
  guard let json else { throw GrootError(.invalidArgument, "\(what) is NULL") }
  let tape = JSONTape()
  let index = try JanssonBridge.flatten(UnsafeMutablePointer(mutating: json), onto: tape)
  return JSONValue(tape, index: index)
}

/// A new json_t for a caller.
func newJSON(_ value: JSONValue) throws -> UnsafeMutablePointer<json_t> {
  let tape = JSONTape()
  return try newJSON(tape, index: try value.append(to: tape))
}

/// A new json_t of a value on a tape.
func newJSON(_ tape: JSONTape, index: TokenIndex) throws -> UnsafeMutablePointer<json_t> {
  do {
    return try JanssonBridge.materialize(tape, index: index)
  } catch let error as JanssonBridge.TooLarge {
    var paths = JSONPathIndex()
    let path = "$" + paths.path(to: error.token, from: index, on: tape)
    throw GrootError(Issue(.outOfRange, error.message, path: path))
  }
}

/// A new json_t of text that the library wrote.
func newJSON(parsing text: UnsafeBufferPointer<UInt8>) throws -> UnsafeMutablePointer<json_t> {
  let tape = JSONTape()
  try tape.load(text)
  return try newJSON(tape, index: .first)
}
