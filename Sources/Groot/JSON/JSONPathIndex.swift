/// Finds the paths of many tokens of a tape: one walk over the tape, then each path in its own
/// length.
///
/// Values that follow one another on the tape are separate; a path begins at the outermost value.
package struct JSONPathIndex {
  /// By token, the container that it is in; none for an outermost value.
  private var parents: [TokenIndex] = []
  /// By token, its key's token in an object, its position in an array.
  private var labels: [Int32] = []
  /// The containers that the walk is inside.
  private var open: [Container] = []

  private struct Container {
    let token: TokenIndex
    let end: TokenIndex
    let isObject: Bool
    var count: Int32 = 0
    /// The key whose value comes next; none when a key comes next.
    var key = TokenIndex.none
  }

  /// An index that has walked nothing yet.
  package init() {}

  /// Whether no path was asked for yet.
  var isEmpty: Bool { parents.isEmpty }

  /// The path of a token from its outermost value on, or from one that it is in; a key's path is
  /// its value's.
  package mutating func path(
    to token: TokenIndex, from root: TokenIndex = .none, on tape: JSONTape
  ) -> String {
    guard !token.isNone, token.offset < tape.count else { return "" }
    walk(through: token, tape)
    var parts: [String] = []
    var current = token
    while current != root, !parents[current].isNone {
      let parent = parents[current]
      let label = Int(labels[current])
      parts.append(
        tape.tokens[parent].rawKind == JSONKind.object.rawValue
          ? JSONPath.member(tape.tokens[label].bytes) : JSONPath.element(label))
      current = parent
    }
    return parts.reversed().joined()
  }

  private mutating func walk(through last: TokenIndex, _ tape: JSONTape) {
    var token = TokenIndex(parents.count)
    while token <= last {
      while let top = open.last, top.end <= token { open.removeLast() }
      enter(token)
      if tape.tokens[token].rawKind >= JSONKind.array.rawValue {
        open.append(
          Container(
            token: token, end: tape.end(of: token),
            isObject: tape.tokens[token].rawKind == JSONKind.object.rawValue))
      }
      token = token.next
    }
  }

  /// Notes where the next token is.
  private mutating func enter(_ token: TokenIndex) {
    guard let depth = open.indices.last else {
      parents.append(.none)
      labels.append(-1)
      return
    }
    parents.append(open[depth].token)
    if !open[depth].isObject {
      labels.append(open[depth].count)
      open[depth].count &+= 1
    } else if open[depth].key.isNone {
      open[depth].key = token
      labels.append(open[depth].key.rawValue)
    } else {
      labels.append(open[depth].key.rawValue)
      open[depth].key = .none
    }
  }
}
