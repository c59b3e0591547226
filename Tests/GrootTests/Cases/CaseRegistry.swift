import Testing

import Groot

/// The functions that a case describes.
enum CaseRegistry {
  /// What a function throws that is to fail.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  static func make(_ test: JSONValue) throws -> TransformerRegistry {
    var registry = TransformerRegistry()
    for (name, builtin) in members(test["registry"]) {
      let known = BuiltinTransformer(rawValue: builtin.stringValue ?? "")
      registry.setBuiltin(name, to: try #require(known))
    }
    for (name, tables) in members(test["transformers"]) {
      let otherwise = tables["otherwise"]?.stringValue
      let forward = lookUp(tables["forward"] ?? [:], otherwise)
      let reverse = tables["reverse"].map { lookUp($0, otherwise) }
      registry.setTransformer(name, reverse: reverse, forward: forward)
    }
    for (name, tables) in members(test["batchTransformers"]) {
      let otherwise = tables["otherwise"]?.stringValue
      let forward = lookUp(tables["forward"] ?? [:], otherwise)
      let reverse = tables["reverse"].map { lookUp($0, otherwise) }
      registry.setBatchTransformer(name, reverse: reverse.map(each), forward: each(forward))
    }
    for (name, table) in members(test["entityMappers"]) {
      registry.setTapeEntityMapper(name) { tape, index in
        let value = JSONValue(tape, index: index)
        let found = try plain(table) ?? map(value, by: table)
        return try found?.append(to: tape)
      }
    }
    for (name, table) in members(test["dictionaryTransformers"]) {
      registry.setDictionaryTransformer(name) { try plain(table) ?? copyKeys($0, by: table) }
    }
    return registry
  }

  private static func members(_ value: JSONValue?) -> [(key: String, value: JSONValue)] {
    value?.objectValue?.members ?? []
  }

  /// `{"gives": value}` and `{"fails": message}`, which are known to all.
  private static func plain(_ description: JSONValue) throws -> JSONValue? {
    if let message = description["fails"]?.stringValue { throw Failure(description: message) }
    return description["gives"]
  }

  /// As in `{"key": "type", "values": {"text": "TextMessage"}}`.
  private static func map(_ value: JSONValue, by table: JSONValue) -> JSONValue? {
    guard let key = table["key"]?.stringValue, let found = value[key]?.stringValue else {
      return nil
    }
    return table["values"]?[found]
  }

  /// As in `{"copy": {"legacy_id": "id"}}`.
  private static func copyKeys(_ value: JSONValue, by table: JSONValue) -> JSONValue? {
    guard case .object(var object) = value else { return nil }
    for (from, to) in members(table["copy"]) {
      if let found = value[from], let key = to.stringValue { object[key] = found }
    }
    return .object(object)
  }

  /// The same function for many values.
  private static func each(
    _ function: @escaping TransformerRegistry.Transform
  ) -> TransformerRegistry.BatchTransform {
    { values in try values.map { try function($0) } }
  }

  /// A function that looks the JSON text of a value up in a table.
  private static func lookUp(
    _ table: JSONValue, _ otherwise: String?
  ) -> TransformerRegistry.Transform {
    { value in
      if let found = table[value.description] { return found }
      switch otherwise {
      case "same": return value
      case "fail": throw Failure(description: "\(value) is not in the table")
      default: return nil
      }
    }
  }
}
