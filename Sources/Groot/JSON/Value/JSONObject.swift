/// The members of a JSON object in their order.
///
/// Keys are compared by their bytes: unlike Swift's `String`, `"é"` and `"e\u{301}"` are two keys.
/// Two objects are equal if they have equal values under the same keys, in any order.
///
/// ```swift
/// var hero: JSONObject = ["name": "Batman", "powers": []]
/// hero["id"] = 17
/// hero["name"] = nil   // removes the member
/// ```
public struct JSONObject: Sendable {
  private var content = JSONMembers()

  /// Makes an object without members.
  public init() {}

  /// Makes an object of members in their order; of duplicate keys the last value counts, at the
  /// first position.
  ///
  /// Complexity: O(members).
  public init(_ members: some Sequence<(key: String, value: JSONValue)>) {
    content.members.reserveCapacity(members.underestimatedCount)
    for (key, value) in members { content.set(key, to: value) }
  }

  /// The members in their order, without duplicate keys.
  ///
  /// Complexity: O(1).
  public var members: [(key: String, value: JSONValue)] { content.members }
  /// The number of members.
  public var count: Int { members.count }
  /// Whether there are no members.
  public var isEmpty: Bool { members.isEmpty }
  /// The keys in their order.
  public var keys: [String] { members.map(\.key) }

  /// The value under a key; nil without one.
  ///
  /// A new key is added at the end; setting nil removes the member. Complexity: O(1), O(members)
  /// for removing.
  public subscript(key: String) -> JSONValue? {
    get { content.position(of: key).map { content.members[$0].value } }
    set {
      if !isKnownUniquelyReferenced(&content) { content = JSONMembers(content) }
      if let newValue {
        content.set(key, to: newValue)
      } else if let position = content.position(of: key) {
        content.remove(at: position)
      }
    }
  }

  /// The storage of the members.
  var container: JSONContainer { content }
}

extension JSONObject: Hashable {
  /// Returns whether two objects have equal values under the same keys.
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    JSONValue.object(left) == .object(right)
  }

  /// Hashes the members without regard to their order.
  public func hash(into hasher: inout Hasher) { JSONValue.object(self).hash(into: &hasher) }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Makes an object of a literal's members.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(elements.lazy.map { (key: $0.0, value: $0.1) })
  }
}
