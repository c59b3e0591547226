/// The failure of a read or write that cannot throw; the next call that can throw reports it.
final class AccessFailure: @unchecked Sendable {
  // Guards the error, since a second thread that is refused also notes a failure.
  private let use = AtomicFlag()
  private var noted: GrootError?

  /// Notes a failure unless one is noted already.
  func note(_ error: GrootError) {
    guard use.claim() else { return }
    if noted == nil { noted = error }
    use.clear()
  }

  /// Throws the failure and forgets it.
  func check() throws(GrootError) {
    if let failure = take() { throw failure }
  }

  /// Returns the failure and forgets it.
  func take() -> GrootError? {
    guard use.claim() else { return nil }
    defer { use.clear() }
    defer { noted = nil }
    return noted
  }
}
