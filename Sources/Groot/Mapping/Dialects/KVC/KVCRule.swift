/// The rule of an external key.
///
/// | rule | meaning |
/// |---|---|
/// | `"name"` | the attribute `name` |
/// | `"Upper:name"` | the same, with the transformer `Upper` |
/// | `"partner.identifier"` | the objects of `partner` that have the value as their `identifier` |
/// | `{"partner": {...}}` | a new object, by nested rules |
/// | `{"partner.identifier": {...}}` | an object that is found by `identifier`, or a new one |
struct KVCRule {
  /// The name of an attribute, or of a relationship.
  var name: String
  /// The attribute by which the objects of a relationship are found.
  var key: String?
  var transformer: String?
  /// The rules of nested objects.
  var rules: JSONObject?

  /// Reads a rule; an error has the reason as text.
  static func read(_ value: JSONValue) throws(SyntaxError) -> KVCRule {
    switch value {
    case .string(let text): return try read(text)
    case .object(let object):
      guard let only = object.members.first, object.count == 1 else {
        throw SyntaxError("a nested object is given by one relationship, not by \(object.count)")
      }
      guard case .object(let rules) = only.value else {
        throw SyntaxError("the rules of a nested object are an object of external keys")
      }
      if only.key.utf8.contains(Byte.colon) {
        throw SyntaxError("a nested object takes no transformer")
      }
      var rule = try path(only.key)
      rule.rules = rules
      return rule
    default:
      throw SyntaxError(
        "\(value.description.shortened) is not a rule: text, an object, or a list of these")
    }
  }

  struct SyntaxError: Error {
    let text: String

    init(_ text: String) { self.text = text }
  }

  private static func read(_ text: String) throws(SyntaxError) -> KVCRule {
    let parts = text.parts(separatedBy: Byte.colon)
    guard parts.count > 1 else { return try path(text) }
    let shown = text.shortened
    guard parts.count == 2 else {
      throw SyntaxError("'\(shown)' has more than one colon; a rule is 'Transformer:property'")
    }
    guard !parts[0].isEmpty else {
      throw SyntaxError("'\(shown)' has no transformer before the colon")
    }
    guard !parts[1].isEmpty else {
      throw SyntaxError("'\(shown)' has no property after the colon")
    }
    var rule = try path(parts[1])
    rule.transformer = parts[0]
    return rule
  }

  private static func path(_ text: String) throws(SyntaxError) -> KVCRule {
    let parts = text.parts(separatedBy: Byte.point)
    guard parts.allSatisfy({ !$0.isEmpty }) else {
      throw SyntaxError("'\(text.shortened)' has an empty name")
    }
    guard let name = parts.first, parts.count <= 2 else {
      throw SyntaxError(
        "'\(text.shortened)' has \(parts.count) parts; a rule has a property, or a relationship and a key"
      )
    }
    return KVCRule(name: name, key: parts.count == 2 ? parts[1] : nil)
  }
}

/// An external key: the paths of values in a record.
struct KVCExternalKey {
  /// The paths of the value, best first; for several keys in brackets, the path of each key.
  let paths: [JSONKeyPath]
  /// Whether it is a list of keys whose values are combined.
  let isCombined: Bool

  /// The greatest number of keys that can be combined.
  static let maximumCount = 4_096

  init(_ text: String) {
    let bytes = text.utf8
    isCombined = bytes.first == Byte.openBracket && bytes.last == Byte.closeBracket
    if isCombined {
      let list = String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
      paths = list.parts(separatedBy: Byte.comma).map { JSONKeyPath($0.withoutOuterSpaces) }
    } else {
      let isEscaped = bytes.starts(with: [Byte.backslash, Byte.openBracket])
      let path = JSONKeyPath(
        isEscaped ? String(decoding: bytes.dropFirst(), as: UTF8.self) : text)
      // The whole text is also read as one key, because keys were not paths in earlier versions.
      paths = path.segments.count > 1 ? [path, JSONKeyPath(key: text)] : [path]
    }
  }

  var isUsable: Bool {
    !paths.isEmpty && paths.count <= Self.maximumCount && paths.allSatisfy(\.isUsable)
  }
}
