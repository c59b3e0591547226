// The text of a rest, written from the members that were noted while their object was matched.

extension RestReader {
  /// The result of writing the rest of an object.
  private enum Outcome {
    /// The text is at the end of the writer's output.
    case text
    /// The object has no rest; the output may end with a part of a text.
    case nothing
    /// The rest needs a value on the tape.
    case unknown
  }

  /// The greatest number of members that are sorted when their keys are not in order.
  private static var fewMembers: Int { 16 }

  /// Returns the rest of an object that was just matched: as text, if that takes no more than
  /// writing noted members.
  ///
  /// Such a text is a string on the tape; see ``text(_:entity:)``. It is the canonical JSON of the
  /// value that ``rest(of:entity:row:)`` would make.
  func matchedRest(
    of object: TokenIndex, entity: PlanPart<EntityPlan>
  ) throws -> TokenIndex? {
    guard entity.hasPlainRest, object == leftOf, named.leftAlone.isEmpty, !tape.hasAliases,
      !graph.hasLimits
    else { return try rest(of: object, entity: entity) }
    let count = left.count
    if count == 0, tape.tokens[object].payload > 0 { return nil }
    writer.reset()
    switch try writeLeft(from: 0, levels: 1, entity: entity) {
    case .nothing where tape.tokens[object].payload > 0: return nil
    case .nothing, .unknown: break
    case .text:
      guard let text = writer.keepText(on: tape), text.count <= graph.maximumTextLength,
        let start = text.baseAddress
      else { break }
      return try tape.append(
        JSONToken(
          kind: .string, size: UInt32(truncatingIfNeeded: text.count),
          payload: UInt64(UInt(bitPattern: start))))
    }
    left.removeLast(to: count)
    return try rest(of: object, entity: entity)
  }

  /// Returns the canonical JSON of a rest that was written while its object was matched; nil for
  /// another rest.
  @inline(__always)
  func text(
    _ rest: TokenIndex, entity: PlanPart<EntityPlan>
  ) -> UnsafeBufferPointer<UInt8>? {
    guard entity.hasPlainRest, !rest.isNone else { return nil }
    let token = tape.tokens[rest]
    return token.rawKind == JSONKind.string.rawValue ? token.bytes : nil
  }

  /// Writes the noted members from `first` on as an object, sorted by their keys.
  ///
  /// The depth of recursion is limited by the length of the longest key path.
  ///
  /// - Parameter levels: The number of levels of containers down to this object.
  private func writeLeft(
    from first: Int, levels: Int, entity: PlanPart<EntityPlan>
  ) throws -> Outcome {
    guard sortLeft(from: first) else { return .unknown }
    let (tokens, writer) = (tape.tokens, writer)
    let source = SourceStrings(tape)
    let end = left.count
    var outcome = Outcome.nothing
    writer.beginObject()
    for position in first..<end {
      let member = left.start[position]
      let value = member.key.next
      let before = writer.position
      writer.string(tokens[member.key], in: source, terminator: Byte.colon)
      if member.node >= 0 {
        switch try writeRest(of: value, at: member.node, levels: levels, entity: entity) {
        case .text: outcome = .text
        case .nothing: writer.truncate(to: before)
        case .unknown: return .unknown
        }
        continue
      }
      outcome = .text
      let token = tokens[value]
      if token.rawKind == JSONKind.string.rawValue {
        writer.string(token, in: source, terminator: Byte.comma)
      } else if !writer.scalar(token, of: tape, keepsReals: true) {
        let inner = writer.value(tape, index: value, sortsKeys: true, keepsReals: true)
        if levels &+ inner > Value.maximumLevels { return .unknown }
      }
    }
    writer.endObject()
    return outcome
  }

  /// Writes the rest of a mapped value.
  private func writeRest(
    of value: TokenIndex, at node: Int32, levels: Int, entity: PlanPart<EntityPlan>
  ) throws -> Outcome {
    let found = plan.nodes + Int(node)
    if found.slotCount > 0 || found.childCount == 0 {
      return isTaken(value, at: found, entity: entity) ? .nothing : .unknown
    }
    guard tape.tokens[value].rawKind == JSONKind.object.rawValue, found.keyCount > 0,
      !isEmpty(value, at: found)
    else { return .unknown }
    let first = left.count
    try noteLeft(of: value, under: node)
    if left.count == first { return .nothing }
    let outcome = try writeLeft(from: first, levels: levels &+ 1, entity: entity)
    left.removeLast(to: first)
    return outcome
  }

  /// Notes the members of an object inside a path that its rest may have.
  private func noteLeft(of object: TokenIndex, under parent: Int32) throws {
    let tokens = tape.tokens
    var count = left.count
    let room = Int(clamping: tokens[object].payload)
    _ = try left.reserve(room)
    let members = left.start
    var key = object.next
    var place = keyMatcher.beginning(of: parent)
    for _ in 0..<room {
      let node = keyMatcher.find(parent, at: place, key: tokens[key])
      if node >= 0 { place = keyMatcher.end(of: node) }
      if node < 0 || !isSurelyTaken(key.next, at: plan.nodes + Int(node)) {
        members[count] = LeftMember(key: key, node: node)
        count &+= 1
      }
      key = tokens[key.next].end(at: key.next)
    }
    left.removeLast(to: count)
  }

  /// Sorts the noted members from `first` on by the bytes of their keys.
  ///
  /// - Returns: False for equal keys, and for many keys in another order.
  private func sortLeft(from first: Int) -> Bool {
    let (tokens, members) = (tape.tokens, left.start)
    let isMany = left.count &- first > Self.fewMembers
    var position = first &+ 1
    while position < left.count {
      let member = members[position]
      let bytes = tokens[member.key].bytes
      var place = position
      while place > first {
        let order = JSONTape.order(tokens[members[place &- 1].key].bytes, bytes)
        if order < 0 { break }
        if order == 0 || isMany {
          members[place] = member
          return false
        }
        members[place] = members[place &- 1]
        place &-= 1
      }
      members[place] = member
      position &+= 1
    }
    return true
  }
}
