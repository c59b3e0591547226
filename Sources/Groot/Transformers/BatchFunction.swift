/// A function on a tape from an array of values to an array of as many results.
struct BatchFunction: Sendable {
  private let call: TransformerRegistry.TapeTransform

  /// Makes a function that works on a tape.
  init(onTape call: @escaping TransformerRegistry.TapeTransform) { self.call = call }

  /// Makes a function of one on values.
  init(_ transform: @escaping TransformerRegistry.BatchTransform) {
    call = { tape, index in
      let values = JSONValue(tape, index: index).arrayValue ?? []
      return try JSONValue.array(transform(values).map { $0 ?? .null }).append(to: tape)
    }
  }

  /// Calls the function with the array at `list`, and returns the array of its results.
  ///
  /// - Throws: The error of the function; ``Status/callbackFailed`` for a result that is not an array
  ///   of as many elements.
  func results(of list: TokenIndex, on tape: JSONTape) throws -> TokenIndex {
    let count = tape.tokens[list].payload
    guard let results = try call(tape, list) else { throw Self.failure("nothing", count) }
    let token = tape.tokens[results]
    guard token.kind == .array else { throw Self.failure("no array", count) }
    guard token.payload == count else {
      throw Self.failure("an array of \(token.payload)", count)
    }
    return results
  }

  private static func failure(_ found: String, _ count: UInt64) -> GrootError {
    GrootError(
      .callbackFailed,
      "it returned \(found) for an array of \(count): return one result for each value")
  }

  /// The function for one value at a time, each in an array of its own.
  var single: TransformerRegistry.TapeTransform {
    { tape, index in
      // The array is on another tape, so that paths do not lead through it.
      let lists = tape.lists
      defer { lists.reset() }
      let list = try lists.append(listOf: index, lentBy: tape)
      let result = try results(of: list, on: lists).next
      return lists.tokens[result].kind == .null ? nil : try tape.append(result, of: lists)
    }
  }
}

extension JSONTape {
  /// Appends an array of the value at `index` of another tape, and returns its index.
  ///
  /// The tape must be empty. The texts stay where they are, and must outlive the tape's content.
  fileprivate func append(listOf index: TokenIndex, lentBy other: JSONTape) throws -> TokenIndex {
    describer = other.describer
    source = other.source
    let list = try append(JSONToken(kind: .array, payload: 1))
    if other.hasAliases {
      _ = try JSONValue(other, index: index, keepsDigits: true).append(to: self)
    } else {
      let distance = list.next.offset &- index.offset
      for position in index.offset..<other.end(of: index).offset {
        let token = other.tokens[TokenIndex(position)]
        try append(token.moved(by: distance))
      }
    }
    tokens[list] = JSONToken(kind: .array, size: UInt32(truncatingIfNeeded: count), payload: 1)
    return list
  }
}
