// Which entity a record is of, where a value in it says so.

extension Importer {
  /// The plan that a record is read by; none when it is to be left out.
  ///
  /// - Throws: ``Status/mapperFailed`` where the value stands for no entity that fits.
  @inline(never)
  func discriminated(_ object: TokenIndex, requested: PlanIndex) throws -> PlanIndex {
    var requested = requested
    // A chosen entity may have a discriminator of its own.
    while plan.entities[requested].discriminator >= 0 {
      let chosen = try discriminatedOnce(object, requested: requested)
      let number = plan.entities[requested].discriminator
      requested = chosen
      if chosen.isNone || plan.entities[chosen].discriminator == number { break }
    }
    return requested
  }

  private func discriminatedOnce(
    _ object: TokenIndex, requested: PlanIndex
  ) throws -> PlanIndex {
    let entity = plan.entities + requested
    let discriminator = plan.discriminators[Int(entity.discriminator)]
    if let member = discriminator.member(of: object, on: tape),
      tape.tokens[member].rawKind == JSONKind.string.rawValue,
      let value = discriminator.entity(tape.tokens[member].bytes), isKind(value, of: entity)
    {
      return PlanIndex(of: value)
    }
    let token = discriminatingValue(object, path: discriminator.path)
    if let token, let value = chosen(by: token, discriminator), isKind(value, of: entity) {
      return PlanIndex(of: value)
    }
    switch discriminator.unknown {
    case .skip: return .none
    case .base where !entity.isAbstract: return requested
    case .base, .error:
      // An object that says nothing is what it has to be, where there is no choice.
      if token == nil, entity.localIndex == entity.lastLocalIndex, !entity.isAbstract {
        return requested
      }
      throw failure(
        .mapperFailed,
        "\(token.map { shown($0) } ?? "nothing") stands for no entity that can be here; known are "
          + listed(discriminator.values), token: token ?? object, entity: requested)
    }
  }

  private func isKind(_ entity: EntityIndex, of ancestor: PlanPart<EntityPlan>) -> Bool {
    let local = plan.entities[PlanIndex(of: entity)].localIndex
    return ancestor.localIndex <= local && local <= ancestor.lastLocalIndex
  }

  /// The entity that a value stands for; a number stands for what its text stands for.
  private func chosen(by token: TokenIndex, _ discriminator: Discriminator) -> EntityIndex? {
    if tape.tokens[token].kind == .string {
      return discriminator.entity(tape.tokens[token].bytes)
    }
    var text = JSONValue(tape, index: token).description
    return text.withUTF8 { discriminator.entity($0) }
  }

  private func discriminatingValue(_ object: TokenIndex, path: TapePath) -> TokenIndex? {
    let start: TokenIndex =
      switch path.origin {
      case .object: object
      case .key: place.key
      case .parent: place.parent
      case .root: document
      case .value: tape.tokens[object].kind == .object ? .none : object
      case .index, .rest: .none
      }
    guard !start.isNone, let value = path.value(from: start, on: tape),
      tape.tokens[value].kind != .null
    else { return nil }
    return value
  }
}
