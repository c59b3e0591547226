import CGroot
import Groot

/// Makes an empty registry.
@_cdecl("groot_registry_create") @implementation
public func groot_registry_create(
  _ registry: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    try result(registry, zero: nil, what: "registry").pointee = RegistryHandle().retained()
  }
}

/// Registers a value transformer under `name`, and replaces an earlier one.
@_cdecl("groot_registry_set_transformer") @implementation
public func groot_registry_set_transformer(
  _ registry: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ forward: groot_transform_function?,
  _ reverse: groot_transform_function?, _ userdata: UnsafeMutableRawPointer?,
  _ destroy: groot_destroy_function?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  let functions = Functions(forward, reverse, Callback(userdata, destroy: destroy))
  return register(functions, as: .transformer, registry, name, error: error)
}

/// Registers a value transformer whose functions get many values in one call.
@_cdecl("groot_registry_set_batch_transformer") @implementation
public func groot_registry_set_batch_transformer(
  _ registry: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ forward: groot_transform_function?,
  _ reverse: groot_transform_function?, _ userdata: UnsafeMutableRawPointer?,
  _ destroy: groot_destroy_function?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  let functions = Functions(forward, reverse, Callback(userdata, destroy: destroy))
  return register(functions, as: .batchTransformer, registry, name, error: error)
}

/// Registers a value transformer whose functions use json_t.
@_cdecl("groot_registry_set_transformer_json") @implementation
public func groot_registry_set_transformer_json(
  _ registry: OpaquePointer?, _ name: UnsafePointer<CChar>?,
  _ forward: groot_transform_json_function?, _ reverse: groot_transform_json_function?,
  _ userdata: UnsafeMutableRawPointer?,
  _ destroy: groot_destroy_function?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  let functions = Functions(forward, reverse, Callback(userdata, destroy: destroy))
  return register(functions, as: .transformer, registry, name, error: error)
}

/// Registers an entity mapper.
@_cdecl("groot_registry_set_entity_mapper") @implementation
public func groot_registry_set_entity_mapper(
  _ registry: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ mapper: groot_transform_function?,
  _ userdata: UnsafeMutableRawPointer?, _ destroy: groot_destroy_function?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  let functions = Functions(mapper, nil, Callback(userdata, destroy: destroy))
  return register(functions, as: .entityMapper, registry, name, error: error)
}

/// Registers an entity mapper whose function uses json_t.
@_cdecl("groot_registry_set_entity_mapper_json") @implementation
public func groot_registry_set_entity_mapper_json(
  _ registry: OpaquePointer?, _ name: UnsafePointer<CChar>?,
  _ mapper: groot_transform_json_function?, _ userdata: UnsafeMutableRawPointer?,
  _ destroy: groot_destroy_function?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  let functions = Functions(mapper, nil, Callback(userdata, destroy: destroy))
  return register(functions, as: .entityMapper, registry, name, error: error)
}

/// Registers a dictionary transformer.
@_cdecl("groot_registry_set_dictionary_transformer") @implementation
public func groot_registry_set_dictionary_transformer(
  _ registry: OpaquePointer?, _ name: UnsafePointer<CChar>?,
  _ transformer: groot_transform_function?, _ userdata: UnsafeMutableRawPointer?,
  _ destroy: groot_destroy_function?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  let functions = Functions(transformer, nil, Callback(userdata, destroy: destroy))
  return register(functions, as: .dictionaryTransformer, registry, name, error: error)
}

/// Registers a dictionary transformer whose function uses json_t.
@_cdecl("groot_registry_set_dictionary_transformer_json") @implementation
public func groot_registry_set_dictionary_transformer_json(
  _ registry: OpaquePointer?, _ name: UnsafePointer<CChar>?,
  _ transformer: groot_transform_json_function?, _ userdata: UnsafeMutableRawPointer?,
  _ destroy: groot_destroy_function?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  let functions = Functions(transformer, nil, Callback(userdata, destroy: destroy))
  return register(functions, as: .dictionaryTransformer, registry, name, error: error)
}

/// The roles of a function of the program.
private enum Role {
  case transformer, batchTransformer, entityMapper, dictionaryTransformer

  /// The name of its parameter.
  var parameter: String {
    switch self {
    case .transformer, .batchTransformer: "forward"
    case .entityMapper: "mapper"
    case .dictionaryTransformer: "transformer"
    }
  }
}

/// The functions of one registration, which are the same on a tape for both types of C; nil is NULL.
private struct Functions {
  let forward, reverse: TransformerRegistry.TapeTransform?

  init(
    _ forward: groot_transform_function?, _ reverse: groot_transform_function?,
    _ callback: Callback
  ) {
    (self.forward, self.reverse) = (forward.map(callback.onTape), reverse.map(callback.onTape))
  }

  init(
    _ forward: groot_transform_json_function?, _ reverse: groot_transform_json_function?,
    _ callback: Callback
  ) {
    (self.forward, self.reverse) = (forward.map(callback.onTape), reverse.map(callback.onTape))
  }
}

/// The body of all registrations.
private func register(
  _ functions: Functions, as role: Role, _ registry: OpaquePointer?,
  _ name: UnsafePointer<CChar>?, error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  registering(registry, name, error: error) { registry, name in
    guard let function = functions.forward else {
      throw GrootError(.invalidArgument, "\(role.parameter) is NULL")
    }
    switch role {
    case .transformer:
      registry.setTapeTransformer(name, forward: function, reverse: functions.reverse)
    case .batchTransformer:
      registry.setTapeBatchTransformer(name, forward: function, reverse: functions.reverse)
    case .entityMapper: registry.setTapeEntityMapper(name, mapper: function)
    case .dictionaryTransformer:
      registry.setTapeDictionaryTransformer(name, transform: function)
    }
  }
}

/// Runs the body of a function that changes the registration of a name.
private func registering(
  _ registry: OpaquePointer?, _ start: UnsafePointer<CChar>?,
  error: UnsafeMutablePointer<OpaquePointer?>?,
  body: (inout TransformerRegistry, String) throws -> Void
) -> groot_status {
  reporting(error) {
    let name = try name(start, what: "name")
    try RegistryHandle.from(registry).exclusively { try body(&$0, name) }
  }
}

/// Registers a built-in transformer under `name`.
@_cdecl("groot_registry_set_builtin") @implementation
public func groot_registry_set_builtin(
  _ registry: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ builtin: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  registering(registry, name, error: error) { registry, name in
    let wanted = try GrootC.name(builtin, what: "builtin")
    guard let builtin = BuiltinTransformer(rawValue: wanted) else {
      throw GrootError(
        .unknownTransformer,
        "'\(wanted)' is not a built-in transformer; built-in transformers are "
          + BuiltinTransformer.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", "))
    }
    registry.setBuiltin(name, to: builtin)
  }
}

/// Writes the built-in transformers with their descriptions.
@_cdecl("groot_registry_builtins") @implementation
public func groot_registry_builtins(
  _ builtins: UnsafeMutablePointer<groot_buffer>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  giving(builtins, what: "builtins", error: error) {
    var list = JSONObject()
    for builtin in BuiltinTransformer.allCases { list[builtin.rawValue] = .string(builtin.summary) }
    return .object(list)
  }
}

/// Removes the function registered under `name`.
@_cdecl("groot_registry_remove") @implementation
public func groot_registry_remove(
  _ registry: OpaquePointer?, _ name: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  registering(registry, name, error: error) { registry, name in
    guard registry.remove(name) else {
      throw GrootError(.unknownTransformer, "nothing is registered under '\(name)'")
    }
  }
}

/// Frees the handle.
@_cdecl("groot_registry_free") @implementation
public func groot_registry_free(_ registry: OpaquePointer?) {
  Handle.release(registry, kind: .registry)
}
