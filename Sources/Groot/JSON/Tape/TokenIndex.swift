/// The number of a token on its tape.
package struct TokenIndex: TypedIndex {
  /// The content of an empty slot.
  package static let none = TokenIndex(rawValue: -1)
  /// The outermost value.
  package static let first = TokenIndex(rawValue: 0)

  package let rawValue: Int32

  @inline(__always)
  package init(rawValue: Int32) { self.rawValue = rawValue }

  @inline(__always)
  package var isNone: Bool { rawValue < 0 }
  /// The next token on the tape.
  @inline(__always)
  package var next: TokenIndex { TokenIndex(rawValue: rawValue &+ 1) }
}

extension TokenIndex {
  /// Returns the index of a token a number of tokens later.
  @inline(__always)
  package static func + (token: TokenIndex, count: Int) -> TokenIndex {
    TokenIndex(token.offset &+ count)
  }
}
