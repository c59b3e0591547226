/// The content of an array or object, shared by copies of the value.
///
/// The depth of values that a program makes is not limited, and a thread's stack is small. The
/// content is therefore released in a loop.
class JSONContainer {
  /// Moves the nested containers to a list.
  func handOver(to list: inout [JSONContainer]) {}

  /// Releases the content; each subclass calls it in `deinit`.
  ///
  /// Complexity: O(values).
  final func releaseContent() {
    var list: [JSONContainer] = []
    handOver(to: &list)
    while var next = list.popLast() {
      // Another owner releases it later.
      if isKnownUniquelyReferenced(&next) { next.handOver(to: &list) }
    }
  }
}

/// The elements of an array.
///
/// Accesses to its variable never overlap; `exclusivity(unchecked)` avoids the cost of checking
/// them.
final class JSONElements: JSONContainer, @unchecked Sendable {
  @exclusivity(unchecked) var elements: [JSONValue]

  init(_ elements: [JSONValue]) { self.elements = elements }

  override func handOver(to list: inout [JSONContainer]) {
    for index in elements.indices where elements[index].isContainer {
      elements[index].handOver(to: &list)
    }
  }

  deinit { releaseContent() }
}

/// The members of an object, with an index of their keys; for `exclusivity`, see ``JSONElements``.
final class JSONMembers: JSONContainer, @unchecked Sendable {
  @exclusivity(unchecked) var members: [(key: String, value: JSONValue)] = []
  /// The positions of the keys; empty while there are only a few.
  @exclusivity(unchecked) private var positions: [Name: Int] = [:]

  /// Whether a value has ever been an array or object; others are released without a loop.
  @exclusivity(unchecked) private var hasHeldContainers = false

  /// The number of members from which on they are found by hashing.
  private static let hashedCount = 16

  override init() {}

  init(_ other: JSONMembers) {
    (members, positions) = (other.members, other.positions)
    hasHeldContainers = other.hasHeldContainers
  }

  func position(of key: String) -> Int? {
    if !positions.isEmpty { return positions[Name(key)] }
    let name = Name(key)
    // A closure would copy each value.
    for position in members.indices where Name(members[position].key) == name { return position }
    return nil
  }

  /// Sets a member; a new one is added at the end.
  func set(_ key: String, to value: JSONValue) {
    if value.isContainer { hasHeldContainers = true }
    if let position = position(of: key) {
      members[position].value = value
    } else {
      append(key, value)
    }
  }

  private func append(_ key: String, _ value: JSONValue) {
    members.append((key, value))
    if members.count == Self.hashedCount {
      hashKeys()
    } else if members.count > Self.hashedCount {
      positions[Name(key)] = members.count - 1
    }
  }

  func remove(at position: Int) {
    members.remove(at: position)
    positions = [:]
    if members.count >= Self.hashedCount { hashKeys() }
  }

  private func hashKeys() {
    for (position, member) in members.enumerated() { positions[Name(member.key)] = position }
  }

  override func handOver(to list: inout [JSONContainer]) {
    guard hasHeldContainers else { return }
    for index in members.indices where members[index].value.isContainer {
      members[index].value.handOver(to: &list)
    }
  }

  deinit { if hasHeldContainers { releaseContent() } }
}

extension JSONValue {
  fileprivate var isContainer: Bool {
    switch self {
    case .array, .object: true
    default: false
    }
  }

  private var container: JSONContainer? {
    switch self {
    case .array(let array): array.container
    case .object(let object): object.container
    default: nil
    }
  }

  /// Moves the content of an array or object to a list, and becomes null.
  fileprivate mutating func handOver(to list: inout [JSONContainer]) {
    guard let container else { return }
    self = .null
    list.append(container)
  }
}
