/// The content of an array or object, which copies of the value share.
///
/// Values nest as deep as a program makes them, and a thread's stack is small. So what is inside is
/// released in a loop.
class JSONContainer {
  /// Hands over the containers inside.
  func handOver(to list: inout [JSONContainer]) {}

  /// Releases all that is inside; a subclass calls it at its end.
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
/// No access to its variable overlaps another, and many are made: `exclusivity(unchecked)` spares the
/// calls that would check it.
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

/// The members of an object, and where their keys are; accesses are as those of ``JSONElements``.
final class JSONMembers: JSONContainer, @unchecked Sendable {
  @exclusivity(unchecked) var members: [(key: String, value: JSONValue)] = []
  /// Where the keys are; empty while there are few of them.
  @exclusivity(unchecked) private var positions: [Name: Int] = [:]

  /// Whether arrays or objects have been among the values; others need no loop to be released.
  @exclusivity(unchecked) private var hasHeldContainers = false

  /// From this many members on they are found by hashing.
  private static let hashedCount = 16

  override init() {}

  init(_ other: JSONMembers) {
    (members, positions) = (other.members, other.positions)
    hasHeldContainers = other.hasHeldContainers
  }

  func position(of key: String) -> Int? {
    if !positions.isEmpty { return positions[Name(key)] }
    let name = Name(key)
    return members.firstIndex { Name($0.key) == name }
  }

  /// Sets a member; a new one is put at the end.
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

  /// Becomes null where it is an array or object, and hands its content over.
  fileprivate mutating func handOver(to list: inout [JSONContainer]) {
    guard let container else { return }
    self = .null
    list.append(container)
  }
}
