@testable import Groot
@testable import GrootSQLite

/// The same objects of a ``QueryModel`` in memory and in a store.
struct QueryPair {
  let file: StoreFile
  let memory: ManagedObjectContext
  let stored: ManagedObjectContext
  let store: SQLiteStore

  init() throws {
    file = try StoreFile()
    let mapping = try QueryModel.mapping()
    (stored, store) = try file.open(mapping)
    memory = ManagedObjectContext(mapping: mapping)
  }

  func driver(seed: Int) -> QueryModel.Driver { QueryModel.Driver([memory, stored], seed: seed) }

  func save() throws {
    try memory.save()
    try stored.save()
  }

  /// Has all objects be read anew.
  func forget() throws {
    try save()
    try stored.refresh()
  }

  static func numbers(_ context: ManagedObjectContext, _ request: FetchRequest) throws -> [Int64] {
    try context.fetch(request).map { try $0["number"].integerValue ?? 0 }
  }
}
