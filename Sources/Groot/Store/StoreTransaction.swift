/// The one transaction that a store may have at a time: a snapshot that is read, or one that is
/// written.
///
/// Several graphs may share it: the one that begins it ends it, and beginnings inside it are a part
/// of it.
final class StoreTransaction {
  private enum State {
    case none
    case reading
    case writing
  }

  let store: any PersistentStore
  private var state = State.none

  init(_ store: any PersistentStore) { self.store = store }

  /// Begins a snapshot; false inside what others have begun, where nothing is to be ended.
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

  /// Calls `body`, which writes: all of it is committed, or nothing is written.
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
