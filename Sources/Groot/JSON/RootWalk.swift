/// How far a reader has come outside of what its root path leads to.
///
/// All around the root is scanned token by token, and nothing of it is kept.
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
  /// How many keys of the path lead to where the walk is.
  private(set) var matched = 0
  /// For each container on the path, whether a key of it was on the path, and how many elements.
  private var passed: [(isMatched: Bool, count: Int)] = []
  /// Whether the root was there.
  private(set) var isFound = false
  /// The error of the path, once the text is known to be JSON.
  var error: GrootError?
  /// The root, as errors show it.
  private(set) var rootPath = "$"

  init(_ path: JSONPointer) { self.path = path }

  var depth: Int { containers.count }
  /// Whether the value that comes is on the way to the root.
  var isOnPath: Bool { !isFound && containers.count == matched }
  /// Whether the value that comes is the root.
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

  /// The value has ended, and with it what it was the way to.
  func finishValue() {
    phase = .afterValue
    if matched > 0, containers.count == matched { matched -= 1 }
  }

  func enterRoot() {
    isFound = true
    phase = .afterValue
  }

  /// Goes on after the root.
  func leaveRoot() { finishValue() }

  /// Notes the key of a member.
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
    rootPath += JSONPath.member(key)
  }

  /// Notes that an element of an array comes.
  func beginElement() {
    phase = .value
    let level = containers.count - 1
    guard level == matched, level < path.keys.count, level < passed.count else { return }
    let position = passed[level].count
    passed[level].count += 1
    guard !isFound, JSONPointer.position(path.keys[level]) == position else { return }
    matched += 1
    rootPath += JSONPath.element(position)
  }

  /// The stand-in for all that was passed, so that jansson says the same as of the whole text.
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

  /// The stand-in for all that was passed before the root.
  var prefixOfRoot: [UInt8] { Self.opening(containers[...]) }

  private static func opening(_ containers: ArraySlice<Bool>) -> [UInt8] {
    containers.flatMap { $0 ? Array("{\"\":".utf8) : [Byte.openBracket] }
  }
}
