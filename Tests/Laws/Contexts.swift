@testable import Groot
@testable import GrootSQLite

extension StoreFile {
  /// A context on the store, which need not outlive a loss of power.
  func open(_ mapping: Mapping) throws -> (context: ManagedObjectContext, store: SQLiteStore) {
    var options = SQLiteStoreOptions()
    options.durability = .normal
    options.busyTimeout = 1000
    let schema = StoreSchema(mapping)
    let store = try SQLiteStore(path, schema: schema, options: options)
    return (try ManagedObjectContext(mapping: mapping, schema: schema, store: store), store)
  }
}

extension ManagedObjectModel {
  /// The named properties that an entity has or inherits.
  func namedProperties(of entity: EntityIndex) -> [Property] {
    let resolved = resolved[entity]
    return (resolved.attributes + resolved.relationships)
      .map { hierarchies[resolved.hierarchy].properties[$0] }.filter { !$0.name.isEmpty }
  }
}

extension ManagedObjectContext {
  func entityIndex(of object: ObjectID) throws -> EntityIndex {
    try model.index(of: entity(of: object).name)
  }

  /// An object with all that it has, as text in which others are named.
  func text(
    _ object: ManagedObject, sortsUnordered: Bool, name: (ManagedObject) throws -> String
  ) throws -> String {
    var parts = ["\(try object.entityName()) \(try name(object))"]
    for property in try model.namedProperties(of: entityIndex(of: object.id)) {
      let key = property.name
      if property.attribute != nil {
        parts.append("\(key)=\(try object[key])")
      } else if property.field.isToMany {
        let names = try object.members(key).map(name)
        let isSorted = sortsUnordered && property.relationship?.isOrdered == false
        parts.append("\(key)=\(isSorted ? names.sorted() : names)")
      } else {
        parts.append("\(key)=\(try object.target(key).map(name) ?? "")")
      }
    }
    return parts.joined(separator: " ")
  }
}

extension Graph {
  /// The value of an attribute.
  func value(_ field: Field, _ table: TableIndex, _ row: Row) -> Value {
    let record = tables[table].record(row)
    return Value(StoredValue(record, field: field, table: tables + table), as: field.type)
  }

  func target(_ field: Field, _ row: Row) -> OptionalRow {
    target(links[field.link], side: field.side, row: row)
  }
}

extension ImportReport {
  /// The counts, for comparing two reports.
  var counts: [Int] { [inserted, updated, unchanged, deleted, skipped] }
}
