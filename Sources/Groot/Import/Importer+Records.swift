// The records of an element in each form, with their places.

extension Importer {
  /// Notes the place of the element on the tape.
  func beginStanding() {
    let index = reader.map { $0.isArray ? $0.elementIndex : -1 } ?? elementIndex
    place = Place(index: index)
    aroundRecords = .none
    let isDocument = reader.map { !$0.isArray && $0.walk == nil } ?? isWholeDocument
    document = isDocument ? .first : .none
  }

  /// The message for an array where records under keys are expected.
  static var arrayForKeys: String {
    "there is an array where an object of records under keys belongs"
  }

  /// Calls `body` with each record of a value, which may be a whole element or a part of one.
  func forEachRecord(
    at token: TokenIndex, form: CollectionForm, entity: PlanIndex,
    body: (TokenIndex) throws -> Void
  ) throws {
    guard form != .array else { return try body(token) }
    let kind = tape.tokens[token].kind
    guard kind == .object, token != .first || place.index < 0 else {
      let message =
        kind == .object
        ? Self.arrayForKeys
        : "there is \(shown(token)) where an object of records under keys belongs"
      var issue = issue(.wrongShape, message, token: token, entity: entity, property: nil)
      // The array itself is invalid, not its first element.
      if kind == .object { issue.path = MessagePath.array(ofElement: issue.path) }
      throw GrootError(issue)
    }
    for (position, key) in try keys(of: token).enumerated() {
      let value = tape.resolved(key.next)
      let standing = Place(key: key, index: position, parent: aroundRecords)
      place = standing
      guard form == .grouped else {
        try body(value)
        continue
      }
      switch tape.tokens[value].kind {
      case .null: break
      case .array:
        var element = value.next
        for index in 0..<Int(clamping: tape.tokens[value].payload) {
          let end = tape.end(of: element)
          place = standing
          place.index = index
          try body(element)
          element = end
        }
      default:
        throw failure(
          .wrongShape, "there is \(shown(value)) where a group needs an array of its records",
          token: value, entity: entity)
      }
    }
  }

  /// Finds or makes the object of a record; null under a key is a record with only that key.
  func resolveRecord(_ token: TokenIndex, entity: PlanIndex, scope: Scope) throws -> OptionalRow {
    if tape.tokens[token].kind == .null && !place.key.isNone {
      return try resolveObject(token, requested: entity, scope: scope)
    }
    return try resolve(token, entity: entity, scope: scope)
  }

  /// Returns whether an element is a single object where a list is valid.
  func isAlone(_ token: TokenIndex) -> Bool {
    token == .first && place.key.isNone && !(reader?.isArray ?? (elementIndex >= 0))
  }

  /// Returns the error of a single invalid entry, with a hint about lists.
  func aboutLoneEntry(_ error: any Error) -> any Error {
    guard let error = error as? GrootError, Self.isAboutValue(error) else { return error }
    let issues = error.issues.map { issue in
      var issue = issue
      issue.message +=
        "; a single object is read as the only entry: give a list, or the root path of one"
      return issue
    }
    return GrootError(error.status, issues, underlying: error.underlying)
  }

  /// Returns whether a value is an entry: an object, its equivalent, or an identifier.
  func isEntry(_ token: TokenIndex, entity: PlanIndex) -> Bool {
    let entity = plan.entities + entity
    return switch tape.tokens[token].kind {
    case .object: true
    case .null: !place.key.isNone
    case .array: entity.takesArrays
    case .false, .true, .alias: entity.takesScalars
    case .integer, .real, .largeNumber, .string:
      entity.takesScalars || entity.identityCount == 1 && !entity.isScoped
    }
  }
}
