// Reading the text around the root of a root path.

extension JSONReader {
  /// Reads on to the root; returns false at the end of the text.
  ///
  /// Each step reads a whole token or nothing.
  func walkOn() throws -> Bool {
    while let walk {
      switch walk.phase {
      case .value:
        let byte = try skipSpace()
        guard walk.depth < limits.maxDepth else {
          throw try syntaxError(after: walk.prefix, otherwise: Self.tooDeep)
        }
        let isContainer = byte == Byte.openBrace || byte == Byte.openBracket
        if isContainer, walk.isAtRoot {
          walk.enterRoot()
          return true
        }
        if isContainer {
          if !skipSmallContainer(walk) {
            cursor += 1
            walk.open(object: byte == Byte.openBrace)
          }
        } else if walk.depth == 0 {
          throw try syntaxError(after: [])
        } else {
          try skipScalar()
        }
      case .firstKey:
        if try skipSpace() == Byte.closeBrace { leaveContainer() } else { try takeKey() }
      case .key: try takeKey()
      case .colon:
        guard try skipSpace() == Byte.colon else { throw try syntaxError(after: walk.prefix) }
        cursor += 1
        walk.phase = .value
      case .firstElement:
        if try skipSpace() == Byte.closeBracket {
          leaveContainer()
        } else {
          walk.beginElement()
        }
      case .afterValue:
        if walk.depth == 0 { return try endWalk() }
        try passGap(walk)
      }
    }
    return false
  }

  /// Skips a small container that is not on the path; returns false if it must be entered.
  private func skipSmallContainer(_ walk: RootWalk) -> Bool {
    guard usesScanner, !walk.isOnPath else { return false }
    tape.reset()
    let end = cursor + min(limit - cursor, Self.smallContainer)
    let depth = limits.maxDepth - walk.depth
    guard
      case .scanned(let next) = JSONScanner.scan(from: cursor, to: end, onto: tape, maxDepth: depth)
    else { return false }
    elementStart = cursor
    cursor = next
    walk.finishValue()
    return true
  }

  /// The greatest number of bytes of a skipped container, which is on the tape for a moment only.
  private static let smallContainer = 16_384

  private static let tooDeep = GrootError(.limitExceeded, "the JSON nests too deep")

  private func leaveContainer() {
    cursor += 1
    elementStart = cursor
    walk?.close()
  }

  private func passGap(_ walk: RootWalk) throws {
    let byte = try skipSpace()
    if byte == Byte.comma {
      cursor += 1
      if walk.isInObject { walk.phase = .key } else { walk.beginElement() }
    } else if byte == (walk.isInObject ? Byte.closeBrace : Byte.closeBracket) {
      leaveContainer()
    } else {
      throw try syntaxError(after: walk.prefix)
    }
  }

  private func takeKey() throws {
    guard try skipSpace() == Byte.quote else { throw try syntaxError(after: walk?.prefix ?? []) }
    let end = try takeValue(maxDepth: 1, after: .walk)
    walk?.take(key: tape.tokens[0].bytes)
    cursor = end
  }

  private func skipScalar() throws {
    let end = try takeValue(maxDepth: 1, after: .walk)
    if let walk, walk.isAtRoot {
      walk.error = walk.path.leadsToScalar
    }
    cursor = end
    walk?.finishValue()
  }

  /// Ends a valid text; only now is a missing root an error.
  private func endWalk() throws -> Bool {
    guard let walk else { return false }
    _ = try readEnd(after: "[]")
    if let error = walk.error { throw error }
    if !walk.isFound { throw walk.path.leadsNowhere }
    return false
  }
}
