/// The calls of one function that gets many values, with the values and results on a tape of its own.
///
/// A result that is known belongs to a value, whatever object has it.
final class BatchCalls: CallDescriber {
  /// The greatest number of values that are kept.
  private static let maximumCount = 1 << 16

  private let function: BatchFunction
  private let tape: JSONTape
  private let table: KeyTable
  let callbackUserdata: UInt
  private let description: CallDescription
  /// The values in the order of their numbers in the table, and the results of the first ones.
  private var values: [TokenIndex] = []
  private var results: [TokenIndex] = []
  /// The array with the values that have no results yet.
  private var list = TokenIndex.none

  init(
    _ function: BatchFunction, _ memory: MemoryAccount, userdata: UInt,
    description: CallDescription
  ) {
    self.function = function
    callbackUserdata = userdata
    self.description = description
    tape = JSONTape(memory)
    table = KeyTable(memory)
    tape.describer = self
  }

  func describeCall() -> CallDescription { description }

  /// The number of values that are kept.
  var count: Int { values.count }

  /// Forgets all values and results.
  ///
  /// - Throws: ``Status/outOfMemory``, ``Status/limitExceeded``.
  func removeAll() throws {
    tape.reset()
    try table.reset(for: 0)
    values.removeAll(keepingCapacity: true)
    results.removeAll(keepingCapacity: true)
    list = .none
  }

  /// Notes a value for the next call, unless it is known.
  ///
  /// - Throws: ``Status/outOfMemory``, ``Status/limitExceeded``.
  func note(_ token: TokenIndex, on other: JSONTape) throws {
    guard values.count < Self.maximumCount, let hash = ValueHash.of(token, on: other) else {
      return
    }
    let isNew = try table.insert(hash) {
      ValueHash.areEqual(values[Int($0)], on: tape, token, on: other)
    }
    guard isNew else { return }
    if list.isNone { list = try tape.append(JSONToken(kind: .array)) }
    values.append(try tape.append(token, of: other))
  }

  /// Calls the function with the values that were noted since the last time.
  ///
  /// If the call fails, the values have no results.
  func callFunction() {
    guard !list.isNone else { return }
    tape.tokens[list] = JSONToken(
      kind: .array, size: UInt32(truncatingIfNeeded: tape.count),
      payload: UInt64(values.count - results.count))
    // The error comes again, at the value that is to blame, when that one is passed alone.
    var found = (try? function.results(of: list, on: tape).next) ?? .none
    while results.count < values.count {
      results.append(found)
      if !found.isNone { found = tape.end(of: found) }
    }
    list = .none
  }

  /// Finds the result for a value; nil if it is not known.
  func result(
    for token: TokenIndex, on other: JSONTape
  ) -> (token: TokenIndex, tape: JSONTape)? {
    guard !results.isEmpty, let hash = ValueHash.of(token, on: other),
      let number = table.find(
        hash, isEqual: { ValueHash.areEqual(values[Int($0)], on: tape, token, on: other) }),
      Int(number) < results.count, !results[Int(number)].isNone
    else { return nil }
    return (results[Int(number)], tape)
  }
}

/// Hashes and compares values on tapes.
private enum ValueHash {
  /// Returns the hash of a value; nil for one that another tape cannot hold as it is.
  ///
  /// Those are reals with digits that their doubles have lost, and aliases. Complexity: O(tokens).
  static func of(_ value: TokenIndex, on tape: JSONTape) -> UInt64? {
    let hashing = Hash.ofProcess
    var hash: UInt64 = 0
    for position in value.offset..<tape.end(of: value).offset {
      let token = tape.tokens[TokenIndex(position)]
      let start = hash &+ UInt64(token.rawKind)
      switch token.kind {
      case .string, .largeNumber:
        hash = hashing.bytes(token.bytes.baseAddress, count: token.bytes.count, from: start)
      case .alias: return nil
      case .real:
        guard tape.exactText(of: token) == nil, tape.neededText(of: token) == nil else {
          return nil
        }
        hash = hashing.mix(token.payload, start: start)
      case .null, .false, .true, .integer, .array, .object:
        hash = hashing.mix(token.payload, start: start)
      }
    }
    return hash
  }

  /// Returns whether two values have the same tokens; the ends of containers follow from the counts.
  static func areEqual(
    _ value: TokenIndex, on tape: JSONTape, _ other: TokenIndex, on otherTape: JSONTape
  ) -> Bool {
    let count = tape.end(of: value).offset - value.offset
    guard otherTape.end(of: other).offset - other.offset == count else { return false }
    return (0..<count).allSatisfy { distance in
      let left = tape.tokens[TokenIndex(value.offset + distance)]
      let right = otherTape.tokens[TokenIndex(other.offset + distance)]
      guard left.rawKind == right.rawKind else { return false }
      return switch left.kind {
      case .string, .largeNumber: JSONTape.equal(left.bytes, right.bytes)
      default: left.payload == right.payload
      }
    }
  }
}
