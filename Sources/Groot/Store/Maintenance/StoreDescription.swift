/// The facts about a store, which are read without a mapping.
public struct StoreDescription: Sendable {
  /// The numbers of an entity's objects, without those of its sub-entities.
  public struct Count: Sendable, Hashable {
    /// The number of objects.
    public let objects: Int64
    /// The number of those that are placeholders.
    public let placeholders: Int64

    package init(objects: Int64, placeholders: Int64) {
      self.objects = objects
      self.placeholders = placeholders
    }
  }

  /// The version of the format.
  public package(set) var format: Int64
  /// The size in bytes; nil where the database does not tell it.
  public package(set) var size: Int64?
  /// Whether the store has views for people.
  public package(set) var hasViews: Bool
  /// The document of the model that the store was made for.
  public package(set) var model: JSONValue
  /// The notes that programs keep in the store.
  public package(set) var notes: NameMap<String> = [:]
  /// The statements that make the tables and indexes of the model.
  public package(set) var statements: [String] = []
  /// The numbers of objects by entity; nil without a count.
  public package(set) var counts: NameMap<Count>?
  /// The faults that were found, such as a missing column.
  public package(set) var faults: [String] = []

  package init(format: Int64, size: Int64?, hasViews: Bool, model: JSONValue) {
    self.format = format
    self.size = size
    self.hasViews = hasViews
    self.model = model
  }

  /// The facts as JSON.
  package var json: JSONValue {
    var notes = JSONObject()
    for (name, text) in self.notes { notes[name] = .string(text) }
    let counts = counts.map { counts in
      var found = JSONObject()
      for (entity, count) in counts {
        found[entity] = [
          "objects": .integer(count.objects), "placeholders": .integer(count.placeholders),
        ]
      }
      return JSONValue.object(found)
    }
    return [
      "format": .integer(format), "size": size.map { .integer($0) } ?? .null,
      "views": .boolean(hasViews), "model": model, "notes": .object(notes),
      "statements": .array(statements.map { .string($0) }), "counts": counts ?? .null,
      "faults": .array(faults.map { .string($0) }),
    ]
  }
}

extension StoreSchema {
  /// The schema of a store whose model is not known yet.
  package static var unknown: StoreSchema {
    get throws { try StoreSchema(document: ["entities": [:]]) }
  }
}
