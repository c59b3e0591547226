/// The only transaction of a store at a time, for reading or for writing.
///
/// Several graphs may share it. The graph that begins it ends it, and a nested beginning joins it.
final class StoreTransaction {
  private enum State {
    case none
    case reading
    case writing
  }

  let store: any PersistentStore
  private var state = State.none

  init(_ store: any PersistentStore) { self.store = store }

  /// Whether a transaction for writing is open.
  var isWriting: Bool {
    if case .writing = state { return true }
    return false
  }

  /// Begins a snapshot; false inside a transaction of others, which the caller must not end.
  func beginReading() throws -> Bool {
    guard case .none = state else { return false }
    try store.beginReading()
    state = .reading
    return true
  }

  func endReading() {
    store.endReading()
    state = .none
  }

  /// Calls `body`, and commits all its writes, or none on failure.
  func writing<Result>(_ hint: WriteHint, body: () throws -> Result) throws -> Result {
    if case .writing = state { return try body() }
    do {
      try store.begin(hint)
      state = .writing
      let result = try body()
      try store.commit()
      state = .none
      return result
    } catch {
      store.rollBack()
      state = .none
      throw error
    }
  }
}
