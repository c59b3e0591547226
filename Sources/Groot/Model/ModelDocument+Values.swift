// The allowed values of attributes.

extension ModelDocument {
  /// Reads the list of an attribute's values; empty without one.
  mutating func values(_ object: JSONObject, as type: AttributeType, at path: String) -> [Value] {
    let location = path + JSONPath.member("values")
    switch object["values"] {
    case nil, .null?: return []
    case .array(let list)? where !list.isEmpty:
      return list.enumerated().compactMap { position, json in
        let path = location + JSONPath.element(position)
        if !json.isNull { return value(json, as: type, at: path) }
        report("null does not fit the type \(type.rawValue)", at: path)
        return nil
      }
    default:
      report("\"values\" is a list of at least one value", at: location)
      return []
    }
  }

  /// Reads the value of an attribute; reports a value that does not fit and returns nil.
  mutating func value(_ json: JSONValue, as type: AttributeType, at path: String) -> Value? {
    do {
      return try Value(json, as: type)
    } catch let error as GrootError where error.status == .limitExceeded {
      for issue in error.issues { report(issue.message, status: issue.status, at: path) }
    } catch {
      let shown = json.description.shortened
      report("the value \(shown) does not fit the type \(type.rawValue)", at: path)
    }
    return nil
  }
}
