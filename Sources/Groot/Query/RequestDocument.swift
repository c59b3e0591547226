/// Reads the members of a request in JSON, and finds unknown ones.
struct RequestDocument {
  private let json: JSONValue
  private let name: String
  private let entity: String
  /// The number of members that were read.
  private var readCount = 0

  init(_ json: JSONValue?, name: String, entity: String) {
    self.json = json ?? .null
    self.name = name
    self.entity = entity
  }

  /// Returns the member under a key; nil without one, or for null.
  mutating func value(_ key: String) -> JSONValue? {
    guard let value = json[key] else { return nil }
    readCount += 1
    if value.isNull { return nil }
    return value
  }

  /// Returns the object under a key.
  mutating func object(_ key: String) throws -> JSONValue? {
    guard let value = value(key) else { return nil }
    guard case .object = value else { throw wrongType(key, value: value, wanted: "an object") }
    return value
  }

  /// Returns the number under a key, at least 0.
  mutating func number(_ key: String) throws -> Int? {
    guard let value = value(key) else { return nil }
    guard let number = value.integerValue, number >= 0 else {
      throw wrongType(key, value: value, wanted: "a number from 0")
    }
    return Int(number)
  }

  /// Returns the list of non-empty strings under a key.
  mutating func texts(_ key: String) throws -> [String] {
    guard let value = value(key) else { return [] }
    guard case .array(let elements) = value else {
      throw wrongType(key, value: value, wanted: "a list of names")
    }
    return try elements.map { element in
      guard let text = element.stringValue, !text.isEmpty else {
        throw wrongType(key, value: value, wanted: "a list of names")
      }
      return text
    }
  }

  /// Rejects a value other than an object, and unknown members.
  ///
  /// - Parameter parts: The known members, which were all read: each is a key in quotes and its form.
  func finish(_ parts: @autoclosure () -> [String]) throws {
    if json.isNull { return }
    guard case .object(let object) = json else {
      throw GrootError(
        GrootIssue(
          .invalidArgument, "\(name) is a JSON object, not \(json)", path: "$", entity: entity))
    }
    guard object.count > readCount else { return }
    let parts = parts()
    let key = object.keys.first { key in !parts.contains { $0.hasPrefix("\"\(key)\"") } } ?? ""
    throw GrootError(
      GrootIssue(
        .invalidArgument,
        "\"\(key)\" is not part of \(name); it has " + parts.joined(separator: ", "),
        path: "$" + MessagePath.member(key), entity: entity))
  }

  func wrongType(_ key: String, value: JSONValue, wanted: String) -> GrootError {
    GrootError(
      GrootIssue(
        .invalidArgument, "\"\(key)\" is \(wanted), not \(value)",
        path: "$" + MessagePath.member(key), entity: entity))
  }
}
