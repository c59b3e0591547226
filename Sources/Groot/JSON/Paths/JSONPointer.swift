import CJansson

/// A JSON Pointer (RFC 6901): the path of a value in a JSON text, such as `/data/items`.
package struct JSONPointer: Sendable, Equatable {
  /// The original text.
  package let text: String
  /// The keys of objects and positions in arrays, from the outermost on.
  let keys: [[UInt8]]

  /// The greatest number of keys.
  private static let maximumCount = 256

  /// Reads a pointer; the empty pointer leads to the whole text.
  ///
  /// - Throws: ``Status/invalidArgument`` if it is invalid, ``Status/limitExceeded`` if it has more
  ///   than 256 keys.
  package init(_ text: String) throws {
    self.text = text
    if text.isEmpty {
      keys = []
      return
    }
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard let first = parts.first, first.isEmpty else { throw Self.malformed(text) }
    guard parts.count <= Self.maximumCount + 1 else {
      throw GrootError(
        .limitExceeded, "the root path has more than \(Self.maximumCount) keys")
    }
    keys = try parts.dropFirst().map { part in
      var key: [UInt8] = []
      var isEscaped = false
      for byte in part {
        if isEscaped {
          guard byte == Byte.zero || byte == Byte.one else { throw Self.malformed(text) }
          key.append(byte == Byte.zero ? Byte.tilde : Byte.slash)
          isEscaped = false
        } else if byte == Byte.tilde {
          isEscaped = true
        } else {
          key.append(byte)
        }
      }
      if isEscaped { throw Self.malformed(text) }
      return key
    }
  }

  private static func malformed(_ text: String) -> GrootError {
    GrootError(
      .invalidArgument,
      "the root path '\(text)' is not a JSON Pointer such as /data/items: each key follows a "
        + "slash, ~1 is a slash and ~0 a tilde in a key")
  }

  /// Returns the array position in a key; nil if it is not a position.
  static func position(_ key: [UInt8]) -> Int? {
    guard let first = key.first, key.count <= 18, key.allSatisfy(Byte.isDigit),
      first != Byte.zero || key.count == 1
    else { return nil }
    return key.reduce(0) { $0 * 10 + Int($1 &- Byte.zero) }
  }

  /// The error of a pointer that leads nowhere.
  var leadsNowhere: GrootError {
    GrootError(
      GrootIssue(.missingValue, "the root path '\(text)' leads to nothing in the JSON", path: "$"))
  }

  /// The error of a pointer that leads to a single value.
  var leadsToScalar: GrootError {
    GrootError(
      GrootIssue(
        .wrongShape,
        "the root path '\(text)' leads to a single value, where an object or an array is expected",
        path: "$"))
  }
}

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
        path += MessagePath.member(name)
      case .array(let list):
        guard let position = Self.position(key), position < list.count else { throw leadsNowhere }
        current = list[position]
        path += MessagePath.element(position)
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
        path += key.withUnsafeBufferPointer { MessagePath.member($0) }
      } else {
        let position = Self.position(key)
        found = position.flatMap { json_array_get(current, $0) }
        path += MessagePath.element(position ?? 0)
      }
      guard let found else { throw leadsNowhere }
      current = found
    }
    return (current, path)
  }
}
