/// The tape for the JSON in attributes.
///
/// It may touch only its tape.
final class AttributeTape {
  private let account: MemoryAccount
  lazy private(set) var tape = JSONTape(account)

  init(_ account: MemoryAccount) { self.account = account }

  /// Loads the text of a value.
  func load(_ text: UnsafeBufferPointer<UInt8>) throws -> JSONTape {
    tape.reset()
    try tape.load(text)
    return tape
  }
}
