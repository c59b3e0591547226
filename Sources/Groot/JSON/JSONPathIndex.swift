/// Finds the paths of many tokens of a tape: one walk over the tape, then each path in its own
/// length.
///
/// Values that follow one another on the tape are separate; a path begins at the outermost value.
package struct JSONPathIndex {
  /// By token, the container that it is in; -1 for an outermost value.
  private var parents: [Int32] = []
  /// By token, its key's token in an object, its position in an array.
  private var labels: [Int32] = []
  /// The containers that the walk is inside of.
  private var open: [Container] = []

  private struct Container {
    let token: Int
    let end: Int
    let isObject: Bool
    var count: Int32 = 0
    /// The key whose value comes next; -1 when a key comes next.
    var key: Int32 = -1
  }

  /// An index that has walked nothing yet.
  package init() {}

  /// Whether no path was asked for yet.
  var isEmpty: Bool { parents.isEmpty }

  /// The path of a token from its outermost value on, or from one that it is in; a key's path is
  /// its value's.
  package mutating func path(
    to token: Int, from root: Int = -1, on tape: JSONTape
  ) -> String {
    guard token >= 0, token < tape.count else { return "" }
    walk(through: token, tape)
    var parts: [String] = []
    var current = token
    while current != root, parents[current] >= 0 {
      let parent = Int(parents[current])
      let label = Int(labels[current])
      parts.append(
        tape.tokens[parent].rawKind == JSONKind.object.rawValue
          ? JSONPath.member(tape.tokens[label].bytes) : JSONPath.element(label))
      current = parent
    }
    return parts.reversed().joined()
  }

  private mutating func walk(through last: Int, _ tape: JSONTape) {
    var token = parents.count
    while token <= last {
      while let top = open.last, top.end <= token { open.removeLast() }
      enter(token)
      if tape.tokens[token].rawKind >= JSONKind.array.rawValue {
        open.append(
          Container(
            token: token, end: tape.end(of: token),
            isObject: tape.tokens[token].rawKind == JSONKind.object.rawValue))
      }
      token += 1
    }
  }

  /// Notes where the next token is.
  private mutating func enter(_ token: Int) {
    guard let depth = open.indices.last else {
      parents.append(-1)
      labels.append(-1)
      return
    }
    parents.append(Int32(truncatingIfNeeded: open[depth].token))
    if !open[depth].isObject {
      labels.append(open[depth].count)
      open[depth].count &+= 1
    } else if open[depth].key < 0 {
      open[depth].key = Int32(truncatingIfNeeded: token)
      labels.append(open[depth].key)
    } else {
      labels.append(open[depth].key)
      open[depth].key = -1
    }
  }
}
