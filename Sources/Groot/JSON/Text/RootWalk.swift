/// The progress of a reader outside the root of its root path.
///
/// The text around the root is scanned token by token, and not kept.
final class RootWalk {
  /// The tokens that may come next.
  enum Phase {
    case value
    case firstKey
    case key
    case colon
    case firstElement
    /// After a value, where only a comma or a bracket may follow.
    case afterValue
  }

  let path: JSONPointer
  var phase = Phase.value
  /// Whether each open container is an object.
  private(set) var containers: [Bool] = []
  /// The number of keys of the path that lead to the current place.
  private(set) var matched = 0
  /// For each container on the path, whether a key on the path was found, and the number of
  /// elements so far.
  private var passed: [(isMatched: Bool, count: Int)] = []
  /// Whether the root was found.
  private(set) var isFound = false
  /// The error of the path, thrown once the whole text is known to be valid.
  var error: GrootError?
  /// The path of the root for messages.
  private(set) var rootPath = "$"

  init(_ path: JSONPointer) { self.path = path }

  var depth: Int { containers.count }
  /// Whether the next value is on the path to the root.
  var isOnPath: Bool { !isFound && containers.count == matched }
  /// Whether the next value is the root.
  var isAtRoot: Bool { isOnPath && matched == path.keys.count }
  var isInObject: Bool { containers.last ?? false }

  func open(object isObject: Bool) {
    if isOnPath { passed.append((false, 0)) }
    containers.append(isObject)
    phase = isObject ? .firstKey : .firstElement
  }

  func close() {
    if containers.count == passed.count { passed.removeLast() }
    containers.removeLast()
    finishValue()
  }

  /// Ends a value, and its part of the path.
  func finishValue() {
    phase = .afterValue
    if matched > 0, containers.count == matched { matched -= 1 }
  }

  func enterRoot() {
    isFound = true
    phase = .afterValue
  }

  /// Continues after the root.
  func leaveRoot() { finishValue() }

  /// Reads the key of a member.
  func take(key: UnsafeBufferPointer<UInt8>) {
    phase = .colon
    let level = containers.count - 1
    guard level == matched, level < path.keys.count, level < passed.count,
      path.keys[level].elementsEqual(key)
    else { return }
    if passed[level].isMatched {
      error = GrootError(
        GrootIssue(
          .invalidJSON,
          "the key '\(String(decoding: key, as: UTF8.self))' of the root path '\(path.text)' "
            + "is a duplicate", path: "$"))
      return
    }
    passed[level].isMatched = true
    guard !isFound else { return }
    matched += 1
    rootPath += MessagePath.member(key)
  }

  /// Begins an element of an array.
  func beginElement() {
    phase = .value
    let level = containers.count - 1
    guard level == matched, level < path.keys.count, level < passed.count else { return }
    let position = passed[level].count
    passed[level].count += 1
    guard !isFound, JSONPointer.position(path.keys[level]) == position else { return }
    matched += 1
    rootPath += MessagePath.element(position)
  }

  /// The stand-in for all text before, after which jansson's errors are those of the whole text.
  var prefix: [UInt8] {
    if containers.isEmpty { return [] }
    let innermost =
      switch phase {
      case .value: isInObject ? "{\"\":" : "[0,"
      case .firstKey: "{"
      case .key: "{\"\":0,"
      case .colon: "{\"\""
      case .firstElement: "["
      case .afterValue: isInObject ? "{\"\":0 " : "[0 "
      }
    return Self.opening(containers.dropLast()) + innermost.utf8
  }

  /// The stand-in for all text before the root.
  var prefixOfRoot: [UInt8] { Self.opening(containers[...]) }

  private static func opening(_ containers: ArraySlice<Bool>) -> [UInt8] {
    containers.flatMap { $0 ? Array("{\"\":".utf8) : [Byte.openBracket] }
  }
}
