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
      // What else holds it releases it.
      if isKnownUniquelyReferenced(&next) { next.handOver(to: &list) }
    }
  }
}

/// The elements of an array.
final class JSONElements: JSONContainer, @unchecked Sendable {
  var elements: [JSONValue]

  init(_ elements: [JSONValue]) { self.elements = elements }

  override func handOver(to list: inout [JSONContainer]) {
    guard elements.contains(where: { $0.container != nil }) else { return }
    for index in elements.indices { elements[index].handOver(to: &list) }
  }

  deinit { releaseContent() }
}

/// The members of an object, and where their keys are.
final class JSONMembers: JSONContainer, @unchecked Sendable {
  var members: [(key: String, value: JSONValue)] = []
  /// Where the keys are; empty while there are few of them.
  private var positions: [Name: Int] = [:]

  /// From this many members on they are found by hashing.
  private static let hashedCount = 16

  override init() {}

  init(_ other: JSONMembers) { (members, positions) = (other.members, other.positions) }

  func position(of key: String) -> Int? {
    if !positions.isEmpty { return positions[Name(key)] }
    let name = Name(key)
    return members.firstIndex { Name($0.key) == name }
  }

  func append(_ key: String, _ value: JSONValue) {
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
    guard members.contains(where: { $0.value.container != nil }) else { return }
    for index in members.indices { members[index].value.handOver(to: &list) }
  }

  deinit { releaseContent() }
}

extension JSONValue {
  fileprivate var container: JSONContainer? {
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
