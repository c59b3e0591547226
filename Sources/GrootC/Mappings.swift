import CGroot
import CJansson
import Groot

/// Compiles a mapping.
@_cdecl("groot_mapping_create") @implementation
public func groot_mapping_create(
  _ model: OpaquePointer?, _ registry: OpaquePointer?, _ dialect: UnsafePointer<CChar>?,
  _ options: UnsafePointer<json_t>?, _ mapping: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let mapping = try result(mapping, zero: nil, what: "mapping")
    let model = try ModelHandle.from(model).model
    let registry =
      try registry.map { try RegistryHandle.from($0).registry } ?? TransformerRegistry()
    let chosen = try dialect.map { try known(text($0, length: -1, what: "dialect")) } ?? .groot
    let settings = try read(options, of: chosen)
    let made = try Mapping(
      model: model, registry: registry, dialect: chosen, isImplicit: settings.isImplicit,
      rules: settings.rules)
    mapping.pointee = MappingHandle(made).retained()
  }
}

private func known(_ name: String) throws -> Mapping.Dialect {
  if let dialect = Mapping.Dialect(rawValue: name) { return dialect }
  let names = Mapping.Dialect.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
  throw GrootError(.unsupported, "'\(name)' is no dialect; dialects are \(names)")
}

private func read(
  _ options: UnsafePointer<json_t>?, of dialect: Mapping.Dialect
) throws -> (isImplicit: Bool, rules: JSONValue?) {
  guard options != nil else { return (false, nil) }
  guard case .object(let options) = try value(options, what: "options") else {
    throw GrootError(.invalidArgument, "options is a JSON object")
  }
  var isImplicit = false
  var rules: JSONValue?
  for (key, value) in options.members {
    switch (key, value) {
    case ("implicit", .boolean(let truth)) where dialect != .hyper: isImplicit = truth
    case ("rules", .object) where dialect == .kvc: rules = value
    default:
      throw GrootError(
        .invalidArgument,
        "'\(key)': \(value) is no option of the dialect '\(dialect.rawValue)'; it has "
          + known(to: dialect))
    }
  }
  return (isImplicit, rules)
}

private func known(to dialect: Mapping.Dialect) -> String {
  switch dialect {
  case .groot: "'implicit', true or false"
  case .hyper: "none"
  case .kvc: "'rules', an object, and 'implicit', true or false"
  }
}

/// What looks wrong but does not keep the mapping from working.
@_cdecl("groot_mapping_warnings") @implementation
public func groot_mapping_warnings(
  _ mapping: OpaquePointer?, _ warnings: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let warnings = try result(warnings, zero: nil, what: "warnings")
    let list = try MappingHandle.from(mapping).mapping.warnings
    warnings.pointee = try newJSON(.array(list.map(\.json)))
  }
}

/// Frees the handle.
@_cdecl("groot_mapping_free") @implementation
public func groot_mapping_free(_ mapping: OpaquePointer?) {
  Handle.release(mapping, kind: .mapping)
}
