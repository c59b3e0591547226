/// The number of a token on its tape.
package struct TokenIndex: TypedIndex {
  /// The content of a slot until a value fills it: no token.
  package static let none = TokenIndex(rawValue: -1)
  /// The outermost value.
  package static let first = TokenIndex(rawValue: 0)

  package let rawValue: Int32

  @inline(__always)
  package init(rawValue: Int32) { self.rawValue = rawValue }

  @inline(__always)
  package var isNone: Bool { rawValue < 0 }
  /// The token that follows on the tape.
  @inline(__always)
  package var next: TokenIndex { TokenIndex(rawValue: rawValue &+ 1) }
}

extension TokenIndex {
  /// The token so many tokens on.
  @inline(__always)
  package static func + (token: TokenIndex, count: Int) -> TokenIndex {
    TokenIndex(token.offset &+ count)
  }
}
