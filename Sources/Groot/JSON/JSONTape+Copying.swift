// Copying values from another tape.

extension JSONTape {
  /// Appends the value at `index` of another tape, which may be reset afterwards, and returns its
  /// index on this tape.
  ///
  /// A real whose text has more digits than its double becomes a large number, because its source
  /// text belongs to the other tape. Throws `limitExceeded` without changing the tape. Complexity:
  /// O(tokens).
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

  /// Appends tokens, with the ends of containers moved to their new places.
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
