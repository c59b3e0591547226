/// The members of a JSON object in their order.
///
/// Keys are compared by their bytes: unlike Swift's `String`, `"é"` and `"e\u{301}"` are two keys.
/// Two objects are equal when they have equal values under the same keys, in whatever order.
///
/// ```swift
/// var hero: JSONObject = ["name": "Batman", "powers": []]
/// hero["id"] = 17
/// hero["name"] = nil   // removes the member
/// ```
public struct JSONObject: Sendable {
  /// The members in their order, each key once.
  public private(set) var members: [(key: String, value: JSONValue)]
  /// Where the keys are; empty while there are few of them.
  private var positions: [Name: Int] = [:]

  /// From this many members on they are found by hashing.
  private static let hashedCount = 16

  /// Makes an object without members.
  public init() { members = [] }

  /// Makes an object of members in their order; of members with one key the last counts, at the
  /// position of the first.
  ///
  /// Complexity: O(members).
  public init(_ members: some Sequence<(key: String, value: JSONValue)>) {
    self.init()
    for (key, value) in members { self[key] = value }
  }

  /// The number of members.
  public var count: Int { members.count }
  /// Whether there are no members.
  public var isEmpty: Bool { members.isEmpty }
  /// The keys in their order.
  public var keys: [String] { members.map(\.key) }

  /// The value under a key; nil when there is no such member.
  ///
  /// A new key is put at the end; setting nil removes the member. Complexity: O(1), O(members)
  /// for removing.
  public subscript(key: String) -> JSONValue? {
    get { position(of: key).map { members[$0].value } }
    set {
      let position = position(of: key)
      switch (position, newValue) {
      case (let position?, let value?): members[position].value = value
      case (let position?, nil):
        members.remove(at: position)
        positions = [:]
        if members.count >= Self.hashedCount { hashKeys() }
      case (nil, let value?):
        members.append((key, value))
        if members.count == Self.hashedCount {
          hashKeys()
        } else if members.count > Self.hashedCount {
          positions[Name(key)] = members.count - 1
        }
      case (nil, nil): break
      }
    }
  }

  private func position(of key: String) -> Int? {
    if !positions.isEmpty { return positions[Name(key)] }
    let name = Name(key)
    return members.firstIndex { Name($0.key) == name }
  }

  private mutating func hashKeys() {
    for (position, member) in members.enumerated() { positions[Name(member.key)] = position }
  }
}

extension JSONObject: Hashable {
  /// Whether both have equal values under the same keys.
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.count == right.count && left.members.allSatisfy { right[$0.key] == $0.value }
  }

  /// Hashes the members without regard to their order.
  public func hash(into hasher: inout Hasher) {
    var sum = 0
    for (key, value) in members {
      var member = Hasher()
      member.combine(Name(key))
      member.combine(value)
      sum &+= member.finalize()
    }
    hasher.combine(sum)
    hasher.combine(count)
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Makes an object of a literal's members.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(elements.lazy.map { (key: $0.0, value: $0.1) })
  }
}
