// Values outside the object's mapped members: its place, its key, and its unmapped keys.

extension Importer {
  /// Notes the values of the paths that do not begin at the object's members.
  @inline(never)
  func matchPlaces(
    _ object: TokenIndex, entity: PlanPart<EntityPlan>, base: Int
  ) throws {
    func node(_ part: Place.Part) -> Int32 { entity.places + part.rawValue }
    let used = entity.usedPlaces
    func isUsed(_ part: Place.Part) -> Bool { used & part.bit != 0 }
    func fill(_ part: Place.Part, _ token: TokenIndex) {
      note(token, at: plan.nodes + Int(node(part)), base: base)
    }
    if isUsed(.index), place.index >= 0 {
      let token = try tape.append(
        JSONToken(kind: .integer, payload: UInt64(truncatingIfNeeded: place.index)))
      addSynthesized(token, origin: object)
      fill(.index, token)
    }
    if !place.key.isNone {
      if isUsed(.key) { fill(.key, place.key) }
      if isUsed(.typedKey) { fill(.typedKey, try typedKey(place.key)) }
    }
    let kind = tape.tokens[object].kind
    if isUsed(.value), kind != .object, kind != .null || !place.key.isNone {
      fill(.value, object)
    }
    if isUsed(.rest), hasRest(object, entity: entity),
      let rest = try rest(of: object, entity: entity)
    {
      fill(.rest, rest)
    }
    if isUsed(.parent), !place.parent.isNone {
      try matchPlace(place.parent, under: node(.parent), entity: entity, base: base)
    }
    if isUsed(.root), !document.isNone {
      try matchPlace(document, under: node(.root), entity: entity, base: base)
    }
  }

  /// Returns the number or truth value that a key spells; otherwise the key itself.
  func typedKey(_ key: TokenIndex) throws -> TokenIndex {
    let bytes = tape.tokens[key].bytes
    let token: JSONToken
    // Another spelling of a number, such as 007, would not be exported again.
    let digits = bytes.drop { $0 == UInt8(ascii: "-") }
    if digits.first == UInt8(ascii: "+")
      || digits.count > 1 && digits.starts(with: "0".utf8)
        && !bytes.contains(Byte.point)
    {
      return key
    }
    if let value = NumberText.parseInteger(bytes) {
      token = JSONToken(kind: .integer, payload: UInt64(bitPattern: value))
    } else if let value = NumberText.parseDouble(bytes) {
      token =
        NumberText.isNeeded(bytes, beside: value)
        ? JSONToken(
          kind: .largeNumber, size: tape.tokens[key].size, payload: tape.tokens[key].payload)
        : JSONToken(kind: .real, payload: value.bitPattern)
    } else if bytes.elementsEqual("true".utf8) || bytes.elementsEqual("false".utf8) {
      token = JSONToken(kind: bytes.count == 4 ? .true : .false)
    } else {
      return key
    }
    let typed = try tape.append(token)
    addSynthesized(typed, origin: key)
    return typed
  }

  /// Returns the key that a number or truth value was read from, or any other value unchanged.
  func text(ofTypedKey token: TokenIndex) -> JSONToken {
    guard let made = synthesizedValue(around: token), made.start == token,
      tape.tokens[made.origin].kind == .string
    else { return tape.tokens[token] }
    return tape.tokens[made.origin]
  }
}
