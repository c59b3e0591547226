/// Finds the paths of many tokens of a tape: one walk over the tape, then a time per path that
/// grows with its length.
///
/// A tape can have several values; a path begins at the outermost value of its token.
package struct JSONPathIndex {
  /// By token, its container; none for an outermost value.
  private var parents: [TokenIndex] = []
  /// By token, the token of its key in an object, or its position in an array.
  private var labels: [Int32] = []
  /// The containers around the walk.
  private var open: [Container] = []

  private struct Container {
    let token: TokenIndex
    let end: TokenIndex
    let isObject: Bool
    var count: Int32 = 0
    /// The key whose value is next; none if a key is next.
    var key = TokenIndex.none
  }

  /// Makes an empty index; the first path needs the walk.
  package init() {}

  /// Whether the walk has not begun.
  var isEmpty: Bool { parents.isEmpty }

  /// Returns the path of a token from its outermost value on, or from an enclosing value; the path
  /// of a key is that of its value.
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

  /// Records the place of the next token.
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
