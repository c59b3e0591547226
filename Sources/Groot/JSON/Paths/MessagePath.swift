/// Writes the path of a value in JSON for messages, such as `$.powers[2].id`.
///
/// A key that is not a plain identifier is written as `["..."]`, escaped as in JSON.
package enum MessagePath {
  /// Returns the part of a path that names a member: `.id` or `["first name"]`.
  package static func member(_ key: UnsafeBufferPointer<UInt8>) -> String {
    if isPlain(key) { return "." + String(decoding: key, as: UTF8.self) }
    var part: [UInt8] = [Byte.openBracket, Byte.quote]
    for byte in key { append(byte, to: &part) }
    part += [Byte.quote, Byte.closeBracket]
    return String(decoding: part, as: UTF8.self)
  }

  /// Returns the part of a path that names a member: `.id` or `["first name"]`.
  package static func member(_ key: String) -> String {
    var key = key
    return key.withUTF8 { member($0) }
  }

  /// Returns the part of a path that names an element: `[2]`.
  package static func element(_ position: Int) -> String { "[\(position)]" }

  /// Returns the path of the array, from the path of an element.
  package static func array(ofElement path: String) -> String {
    path.lastIndex(of: "[").map { String(path[..<$0]) } ?? path
  }

  private static func isPlain(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = key.first, !Byte.isDigit(first) else { return false }
    return key.allSatisfy { Byte.isLetter($0) || Byte.isDigit($0) || $0 == 0x5F }
  }

  private static func append(_ byte: UInt8, to text: inout [UInt8]) {
    switch byte {
    case Byte.quote, Byte.backslash: text += [Byte.backslash, byte]
    case 0x08: text += [Byte.backslash, 0x62]
    case 0x09: text += [Byte.backslash, Byte.t]
    case 0x0A: text += [Byte.backslash, Byte.n]
    case 0x0C: text += [Byte.backslash, Byte.f]
    case 0x0D: text += [Byte.backslash, 0x72]
    case 0..<0x20:
      let digits = Array("0123456789abcdef".utf8)
      text += [Byte.backslash, Byte.u, Byte.zero, Byte.zero]
      text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    default: text.append(byte)
    }
  }
}

extension MessagePath {
  /// Finds the paths of many tokens of a tape: one walk over the tape, then a time per path that
  /// grows with its length.
  ///
  /// A tape can have several values; a path begins at the outermost value of its token.
  package struct Index {
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
            ? MessagePath.member(tape.tokens[label].bytes) : MessagePath.element(label))
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
}
