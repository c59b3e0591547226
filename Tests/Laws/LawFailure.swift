@testable import Groot
@testable import GrootSQLite

/// A law that does not hold.
struct LawFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

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

  /// Throws when the graph contradicts itself.
  func checkInvariants() throws {
    let broken = brokenInvariants()
    if !broken.isEmpty { throw LawFailure("invariants: \(broken)") }
  }
}

extension ImportReport {
  /// The counts, for comparing two reports.
  var counts: [Int] { [inserted, updated, unchanged, deleted, skipped] }
}
