/// Reads the bytes as rules over a model of all kinds of properties.
///
/// The text may also be an object with a `model` and its `rules`. What is refused must say why; what
/// is not must import a feed and export what came of it.
///
/// Called by libFuzzer, which makes the bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRules(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
  guard let data else { return 0 }
  let bytes = UnsafeBufferPointer(start: data, count: size)
  guard let json = try? JSONValue(parsing: String(decoding: bytes, as: UTF8.self)), let model else {
    return 0
  }
  let trial = ModelTrial(
    model: json["model"] ?? model, rules: json["rules"] ?? json, registry: registry)
  let outcome = trial.run(seed: UInt64(size))
  require(outcome.faults.isEmpty, outcome.faults.joined(separator: "\n"), bytes)
  return 0
}

private let model = try? JSONValue(
  parsing: """
    {"entities": {
      "A": {"userInfo": {"groot.implicit": "true", "identityAttributes": "id"},
        "attributes": {
          "id": {"type": "integer32", "optional": true},
          "s": {"type": "string", "optional": true},
          "d": {"type": "decimal", "optional": true},
          "t": {"type": "date", "optional": true},
          "b": {"type": "boolean", "optional": true},
          "x": {"type": "binary", "optional": true},
          "j": {"type": "transformable", "optional": true}},
        "relationships": {
          "one": {"destination": "A", "inverse": "other", "optional": true},
          "other": {"destination": "A", "inverse": "one", "optional": true},
          "up": {"destination": "A", "inverse": "parts", "optional": true},
          "parts": {"destination": "A", "toMany": true, "ordered": true, "inverse": "up",
            "optional": true},
          "friends": {"destination": "A", "toMany": true, "inverse": "friends", "optional": true},
          "c": {"destination": "C", "optional": true}}},
      "B": {"parent": "A", "attributes": {"n": {"type": "double", "optional": true}}},
      "C": {"attributes": {"id": {"type": "string", "optional": true}},
        "relationships": {"as": {"destination": "A", "toMany": true, "optional": true}}}}}
    """)

/// Functions under the names that seeds use.
private let registry: TransformerRegistry = {
  var registry = TransformerRegistry()
  for builtin in BuiltinTransformer.allCases { registry.setBuiltin(builtin.rawValue, to: builtin) }
  registry.setTransformer("t", reverse: { $0 }, forward: { $0 })
  registry.setTransformer("oneWay") { .string("\($0)") }
  return registry
}()
