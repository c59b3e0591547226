/// The failure of a read or write that cannot throw, until a call that can throw reports it.
final class AccessFailure: @unchecked Sendable {
  // Guards the error: a second thread, which is refused, has a failure to note too.
  private let use = AtomicFlag()
  private var noted: GrootError?

  /// Keeps the first failure.
  func note(_ error: GrootError) {
    guard use.claim() else { return }
    if noted == nil { noted = error }
    use.clear()
  }

  /// Throws the failure, once.
  func check() throws(GrootError) {
    if let failure = take() { throw failure }
  }

  /// The failure, which is told once.
  func take() -> GrootError? {
    guard use.claim() else { return nil }
    defer { use.clear() }
    defer { noted = nil }
    return noted
  }
}
