import CGroot
import CJansson
import Groot

/// Where a callback leaves the reason of its failure.
final class FailureHandle: Handle {
  var message = ""

  init() { super.init(.failure) }

  /// One without a reason, made once for a tape, whose functions run one after another.
  static func kept(by tape: JSONTape) -> FailureHandle {
    guard let kept = tape.callbackCache as? FailureHandle else {
      let made = FailureHandle()
      tape.callbackCache = made
      return made
    }
    kept.message = ""
    return kept
  }
}

/// What a caller registered: its functions, and its data, given back exactly once.
///
/// The functions may run on any thread that uses the mapping; that its data may be used there is
/// the caller's part of the contract (groot_transform_function), hence `@unchecked`.
final class Callback: @unchecked Sendable {
  private let userdata: UnsafeMutableRawPointer?
  private let destroy: groot_destroy_function?

  init(_ userdata: UnsafeMutableRawPointer?, destroy: groot_destroy_function?) {
    self.userdata = userdata
    self.destroy = destroy
  }

  deinit { destroy?(userdata) }

  /// A function of C as one on a tape.
  ///
  /// It keeps the callback's data alive.
  func onTape(_ function: groot_transform_function) -> TransformerRegistry.TapeTransform {
    { tape, index in try self.call(function, on: tape, index: index) }
  }

  private func call(
    _ function: groot_transform_function, on tape: JSONTape, index: TokenIndex
  ) throws -> TokenIndex? {
    let input = try JanssonBridge.share(tape, index: index)
    defer { groot_json_release(input) }
    let failure = FailureHandle.kept(by: tape)
    var output: UnsafeMutablePointer<json_t>?
    let status = withExtendedLifetime(failure) {
      function(
        userdata, input, &output, OpaquePointer(Unmanaged.passUnretained(failure).toOpaque()))
    }
    defer { if let output { groot_json_release(output) } }
    guard status == GROOT_OK else {
      throw GrootError(
        .callbackFailed,
        failure.message.isEmpty ? "the callback returned status \(status)" : failure.message)
    }
    guard let output else { return nil }
    return try JanssonBridge.takeBack(output, onto: tape)
  }
}

/// Gives the reason why a callback fails; the text is copied.
@_cdecl("groot_failure_set") @implementation
public func groot_failure_set(
  _ failure: OpaquePointer?, _ message: UnsafePointer<CChar>?, _ length: Int
) {
  guard let handle = Handle.from(failure, kind: .failure, as: FailureHandle.self),
    let bytes = try? bytes(message, length: length, what: "message")
  else { return }
  handle.message = String(decoding: bytes, as: UTF8.self)
}

/// Makes an empty registry.
@_cdecl("groot_registry_create") @implementation
public func groot_registry_create(
  _ registry: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    try result(registry, zero: nil, what: "registry").pointee = RegistryHandle().retained()
  }
}

/// Registers a value transformer under `name`, instead of an earlier one.
@_cdecl("groot_registry_set_transformer") @implementation
public func groot_registry_set_transformer(
  _ registry: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ length: Int,
  _ forward: groot_transform_function?, _ reverse: groot_transform_function?,
  _ userdata: UnsafeMutableRawPointer?, _ destroy: groot_destroy_function?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  let callback = Callback(userdata, destroy: destroy)
  return reporting(error) {
    let handle = try RegistryHandle.from(registry)
    let name = try text(name, length: length, what: "name")
    guard let forward else { throw GrootError(.invalidArgument, "forward is NULL") }
    handle.registry.setTapeTransformer(
      name, forward: callback.onTape(forward), reverse: reverse.map(callback.onTape))
  }
}

/// Registers an entity mapper.
@_cdecl("groot_registry_set_entity_mapper") @implementation
public func groot_registry_set_entity_mapper(
  _ registry: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ length: Int,
  _ mapper: groot_transform_function?, _ userdata: UnsafeMutableRawPointer?,
  _ destroy: groot_destroy_function?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  let callback = Callback(userdata, destroy: destroy)
  return reporting(error) {
    let handle = try RegistryHandle.from(registry)
    let name = try text(name, length: length, what: "name")
    guard let mapper else { throw GrootError(.invalidArgument, "mapper is NULL") }
    handle.registry.setTapeEntityMapper(name, mapper: callback.onTape(mapper))
  }
}

/// Registers a dictionary transformer.
@_cdecl("groot_registry_set_dictionary_transformer") @implementation
public func groot_registry_set_dictionary_transformer(
  _ registry: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ length: Int,
  _ transformer: groot_transform_function?, _ userdata: UnsafeMutableRawPointer?,
  _ destroy: groot_destroy_function?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  let callback = Callback(userdata, destroy: destroy)
  return reporting(error) {
    let handle = try RegistryHandle.from(registry)
    let name = try text(name, length: length, what: "name")
    guard let transformer else { throw GrootError(.invalidArgument, "transformer is NULL") }
    handle.registry.setTapeDictionaryTransformer(name, transform: callback.onTape(transformer))
  }
}

/// Binds a transformer that the library brings along to `name`.
@_cdecl("groot_registry_set_builtin") @implementation
public func groot_registry_set_builtin(
  _ registry: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ length: Int,
  _ builtin: UnsafePointer<CChar>?, _ builtinLength: Int,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let handle = try RegistryHandle.from(registry)
    let name = try text(name, length: length, what: "name")
    let wanted = try text(builtin, length: builtinLength, what: "builtin")
    guard let builtin = BuiltinTransformer(rawValue: wanted) else {
      throw GrootError(
        .unknownTransformer,
        "'\(wanted)' is no built-in transformer; they are "
          + BuiltinTransformer.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", "))
    }
    handle.registry.setBuiltin(name, to: builtin)
  }
}

/// A JSON object of the built-in transformers.
@_cdecl("groot_registry_builtins") @implementation
public func groot_registry_builtins() -> UnsafeMutablePointer<json_t>? {
  var list = JSONObject()
  for builtin in BuiltinTransformer.allCases { list[builtin.rawValue] = .string(builtin.summary) }
  return try? newJSON(.object(list))
}

/// Removes whatever is registered under `name`.
@_cdecl("groot_registry_remove") @implementation
public func groot_registry_remove(
  _ registry: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ length: Int,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let handle = try RegistryHandle.from(registry)
    let name = try text(name, length: length, what: "name")
    guard handle.registry.remove(name) else {
      throw GrootError(.unknownTransformer, "nothing is registered under '\(name)'")
    }
  }
}

/// Frees the handle.
@_cdecl("groot_registry_free") @implementation
public func groot_registry_free(_ registry: OpaquePointer?) {
  Handle.release(registry, kind: .registry)
}
