@testable import Groot

/// The same objects of a ``QueryModel`` in memory and in a store.
struct QueryPair {
  let place: any StorePlace
  let memory: ManagedObjectContext
  let stored: ManagedObjectContext
  let store: any PersistentStore

  init(_ kind: StoreKind = .file) throws {
    self.kind = kind
    place = try kind.place()
    let mapping = try QueryModel.mapping()
    stored = try place.context(mapping)
    guard let coordinator = stored.coordinator else { throw LawFailure("there is no store") }
    store = coordinator.store
    memory = ManagedObjectContext(mapping: mapping)
  }

  private let kind: StoreKind

  func driver(seed: Int) -> QueryModel.Driver {
    QueryModel.Driver([memory, stored], seed: seed, isStorable: kind.canHold)
  }

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
