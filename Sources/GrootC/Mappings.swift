import CGroot
import CJansson
import Groot

/// Sets mapping options to the defaults.
@_cdecl("groot_mapping_options_init") @implementation
public func groot_mapping_options_init(
  _ options: UnsafeMutablePointer<groot_mapping_options>?, _ size: Int
) {
  initialize(options, size: size)
}

/// Compiles a mapping.
@_cdecl("groot_mapping_create") @implementation
public func groot_mapping_create(
  _ model: OpaquePointer?, _ registry: OpaquePointer?,
  _ options: UnsafePointer<groot_mapping_options>?,
  _ mapping: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let mapping = try result(mapping, zero: nil, what: "mapping")
    let model = try ModelHandle.from(model).model
    let registry =
      try registry.map { try RegistryHandle.from($0).exclusively { $0 } } ?? TransformerRegistry()
    let settings = try MappingSettings(options)
    let made = try Mapping(
      model: model, registry: registry, dialect: settings.dialect,
      isImplicit: settings.isImplicit, nulls: settings.nulls, roots: settings.roots,
      rules: settings.rules)
    mapping.pointee = MappingHandle(made).retained()
  }
}

/// Reads the options of a mapping.
private struct MappingSettings {
  var dialect = Mapping.Dialect.groot
  var isImplicit = false
  var nulls = NullStyle.write
  var roots: NameMap<DocumentRoot> = [:]
  var rules: JSONValue?

  init(_ options: UnsafePointer<groot_mapping_options>?) throws {
    guard let copy = try known(options, size: \.struct_size, empty: groot_mapping_options())
    else { return }
    try requireFlags(copy.flags, among: GROOT_MAPPING_IMPLICIT, of: "a mapping")
    nulls = try choice(copy.nulls, names: "GROOT_NULLS_...") ?? .write
    if copy.dialect != nil { dialect = try Self.dialect(name(copy.dialect, what: "dialect")) }
    isImplicit = copy.flags & GROOT_MAPPING_IMPLICIT != 0
    if isImplicit && dialect == .hyper {
      throw GrootError(
        .invalidArgument, "GROOT_MAPPING_IMPLICIT is not an option of the dialect 'hyper'")
    }
    if copy.roots != nil {
      roots = try NameMap(json: Self.json(copy.roots, length: copy.roots_length, what: "roots"))
    }
    guard copy.rules != nil else { return }
    guard dialect == .kvc else {
      throw GrootError(
        .invalidArgument, "rules are not an option of the dialect '\(dialect.rawValue)'")
    }
    rules = try Self.json(copy.rules, length: copy.rules_length, what: "rules")
  }

  private static func json(
    _ text: UnsafePointer<CChar>?, length: Int, what: String
  ) throws -> JSONValue {
    try JSONArgument.sized(text, length).value(what: what) ?? .null
  }

  private static func dialect(_ name: String) throws -> Mapping.Dialect {
    if let dialect = Mapping.Dialect(rawValue: name) { return dialect }
    let names = Mapping.Dialect.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    throw GrootError(.unsupported, "'\(name)' is not a dialect; dialects are \(names)")
  }
}

/// Writes the warnings of the mapping.
@_cdecl("groot_mapping_warnings") @implementation
public func groot_mapping_warnings(
  _ mapping: OpaquePointer?, _ warnings: UnsafeMutablePointer<groot_buffer>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  giving(warnings, what: "warnings", error: error) { try warningsOf(mapping) }
}

/// Makes the warnings of the mapping as a json_t.
@_cdecl("groot_mapping_warnings_json") @implementation
public func groot_mapping_warnings_json(
  _ mapping: OpaquePointer?, _ warnings: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  giving(warnings, what: "warnings", error: error) { try warningsOf(mapping) }
}

private func warningsOf(_ mapping: OpaquePointer?) throws -> JSONValue {
  .array(try MappingHandle.from(mapping).mapping.warnings.map(\.json))
}

/// Frees the handle.
@_cdecl("groot_mapping_free") @implementation
public func groot_mapping_free(_ mapping: OpaquePointer?) {
  Handle.release(mapping, kind: .mapping)
}
