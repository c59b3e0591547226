// The roots of a mapping as JSON, for C, Python and test cases.

extension NameMap<DocumentRoot> {
  /// Reads roots such as `{"/data": "Resource", "/events": {"entity": "Event", "form": "keyed"}}`.
  ///
  /// - Throws: ``Status/invalidArgument`` for any other JSON.
  package init(json: JSONValue) throws(GrootError) {
    self.init()
    guard let members = json.objectValue?.members else {
      throw GrootError(
        .invalidArgument, "roots is a JSON object of places and entities, not \(json)")
    }
    for (place, value) in members { self[place] = try DocumentRoot(json: value, at: place) }
  }
}

extension DocumentRoot {
  fileprivate init(json: JSONValue, at place: String) throws(GrootError) {
    if let entity = json.stringValue {
      self.init(entity)
      return
    }
    guard let members = json.objectValue?.members, let entity = json["entity"]?.stringValue else {
      throw GrootError(
        .invalidArgument,
        "the root '\(place.shortened)' is the name of an entity, or an object with 'entity' and "
          + "'form', not \(json)")
    }
    if let other = members.first(where: { $0.0 != "entity" && $0.0 != "form" }) {
      throw GrootError(
        .invalidArgument,
        "the root '\(place.shortened)' has '\(other.0.shortened)'; it may have 'entity' and 'form'")
    }
    self.init(entity, form: try CollectionForm(json: json["form"], of: place))
  }
}

extension CollectionForm {
  fileprivate init(json: JSONValue?, of place: String) throws(GrootError) {
    let names = Self.allCases.map { "\($0)" }
    guard let json else {
      self = .array
      return
    }
    guard let form = Self.allCases.first(where: { json.stringValue == "\($0)" }) else {
      throw GrootError(
        .invalidArgument,
        "the form of the root '\(place.shortened)' is \(json); forms are \(listed(names))")
    }
    self = form
  }
}
