/// Reads the bytes as a model document, and compiles it in all dialects.
///
/// The text may also be an object with a `model`, its `rules` and `implicit`. What is refused must
/// say why; what is not must import a feed and export what came of it.
///
/// Called by libFuzzer, which makes the bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzModels(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
  guard let data else { return 0 }
  let bytes = UnsafeBufferPointer(start: data, count: size)
  guard let json = try? JSONValue(parsing: String(decoding: bytes, as: UTF8.self)) else { return 0 }
  let trial = ModelTrial(
    model: json["model"] ?? json, rules: json["rules"], isImplicit: json["implicit"] == true,
    registry: registry)
  let outcome = trial.run(seed: UInt64(size))
  require(outcome.faults.isEmpty, outcome.faults.joined(separator: "\n"), bytes)
  return 0
}

/// Functions under the names that seeds use.
private let registry: TransformerRegistry = {
  var registry = TransformerRegistry()
  for builtin in BuiltinTransformer.allCases { registry.setBuiltin(builtin.rawValue, to: builtin) }
  registry.setTransformer("t", reverse: { $0 }, forward: { $0 })
  registry.setTransformer("oneWay") { .string("\($0)") }
  registry.setEntityMapper("m") { $0["type"]?.stringValue }
  registry.setDictionaryTransformer("d") { $0 }
  return registry
}()
