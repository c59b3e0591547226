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

/// Makes a model from the model document in the file at `path`.
@_cdecl("groot_model_create_file") @implementation
public func groot_model_create_file(
  _ path: UnsafePointer<CChar>?, _ model: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let model = try result(model, zero: nil, what: "model")
    let path = try name(path, what: "path")
    model.pointee = ModelHandle(try ManagedObjectModel(contentsOfFile: path)).retained()
  }
}

/// Makes a model from a model document in a json_t object.
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

/// Writes the model as a model document in which every default is explicit.
@_cdecl("groot_model_document") @implementation
public func groot_model_document(
  _ model: OpaquePointer?, _ document: UnsafeMutablePointer<groot_buffer>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  giving(document, what: "document", error: error) { try ModelHandle.from(model).model.document }
}

/// Makes the model document as a json_t.
@_cdecl("groot_model_document_json") @implementation
public func groot_model_document_json(
  _ model: OpaquePointer?, _ document: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  giving(document, what: "document", error: error) { try ModelHandle.from(model).model.document }
}

/// Frees the handle.
@_cdecl("groot_model_free") @implementation
public func groot_model_free(_ model: OpaquePointer?) { Handle.release(model, kind: .model) }
