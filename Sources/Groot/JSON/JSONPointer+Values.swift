import CJansson

// The target of a pointer in values other than text.

extension JSONPointer {
  /// Returns the object or array at the pointer, and its path for messages.
  func root(of json: JSONValue) throws -> (root: JSONValue, path: String) {
    var current = json
    var path = "$"
    for key in keys {
      switch current {
      case .object(let object):
        let name = String(decoding: key, as: UTF8.self)
        guard let value = object[name] else { throw leadsNowhere }
        current = value
        path += JSONPath.member(name)
      case .array(let list):
        guard let position = Self.position(key), position < list.count else { throw leadsNowhere }
        current = list[position]
        path += JSONPath.element(position)
      default: throw leadsNowhere
      }
    }
    return (current, path)
  }

  /// Returns the same for a json_t, which is borrowed.
  func root(
    of json: UnsafeMutablePointer<json_t>
  ) throws -> (root: UnsafeMutablePointer<json_t>, path: String) {
    var current = json
    var path = "$"
    for key in keys {
      let found: UnsafeMutablePointer<json_t>?
      if groot_json_kind(current) == Int32(JSON_OBJECT.rawValue) {
        found = key.withUnsafeBytes { bytes in
          let name = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
          return name.map { json_object_getn(current, $0, bytes.count) }
            ?? json_object_get(current, "")
        }
        path += key.withUnsafeBufferPointer { JSONPath.member($0) }
      } else {
        let position = Self.position(key)
        found = position.flatMap { json_array_get(current, $0) }
        path += JSONPath.element(position ?? 0)
      }
      guard let found else { throw leadsNowhere }
      current = found
    }
    return (current, path)
  }
}
