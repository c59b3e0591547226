// Taking values over from another tape.

extension JSONTape {
  /// Appends the value at `index` of another tape, which may be reset afterwards, and answers its
  /// index here.
  ///
  /// A real whose text says more than its double becomes a large number: the text it was read from
  /// is the other tape's. Throws `limitExceeded`; the tape is then as it was. Complexity: O(tokens).
  @discardableResult
  package func append(_ index: TokenIndex, of other: JSONTape) throws -> TokenIndex {
    let first = next
    do {
      try copy(from: index, to: other.end(of: index), of: other)
    } catch {
      count = first.offset
      throw error
    }
    return first
  }

  /// Appends tokens as they are; ends of containers move with their beginnings.
  private func copy(from first: TokenIndex, to end: TokenIndex, of other: JSONTape) throws {
    let distance = count &- first.offset
    for position in first.offset..<end.offset {
      var token = other.tokens[TokenIndex(position)]
      switch token.kind {
      case .string, .largeNumber: try append(copying: token.bytes, as: token.kind)
      case .real: try append(real: token, of: other)
      case .array, .object:
        token = JSONToken(
          kind: token.kind, size: UInt32(truncatingIfNeeded: Int(token.size) &+ distance),
          payload: token.payload)
        try append(token)
      case .null, .false, .true, .integer, .alias: try append(token)
      }
    }
  }

  private func append(real token: JSONToken, of other: JSONTape) throws {
    if let text = other.neededText(of: token) {
      try append(copying: text, as: .largeNumber)
    } else {
      try append(JSONToken(kind: .real, payload: token.payload))
    }
  }
}
