// The values that an attribute may have.

extension ModelDocument {
  /// Reads the list of an attribute's values; empty where there is none.
  mutating func values(_ object: JSONObject, as type: AttributeType, at path: String) -> [Value] {
    let location = path + JSONPath.member("values")
    switch object["values"] {
    case nil, .null?: return []
    case .array(let list)? where !list.isEmpty:
      return list.enumerated().compactMap { position, json in
        if !json.isNull, let value = try? Value(json, as: type) { return value }
        report(
          "the value \(json) does not fit the type \(type.rawValue)",
          at: location + JSONPath.element(position))
        return nil
      }
    default:
      report("\"values\" is a list of at least one value", at: location)
      return []
    }
  }
}
