/// The tape for the JSON in attributes, which remembers the unmapped keys that are on it.
///
/// It may touch only its tape.
final class AttributeTape {
  private let account: MemoryAccount
  lazy private(set) var tape = JSONTape(account)
  /// The text on the tape if it is the unmapped keys of an object.
  private var loaded: UnsafePointer<UInt8>?

  init(_ account: MemoryAccount) { self.account = account }

  /// Loads the unmapped keys of an object; text that is already on the tape is not loaded again.
  func loadRest(_ text: UnsafeBufferPointer<UInt8>) throws -> JSONTape {
    if loaded == text.baseAddress, loaded != nil { return tape }
    let tape = try load(text)
    loaded = text.baseAddress
    return tape
  }

  /// Loads any other text.
  func load(_ text: UnsafeBufferPointer<UInt8>) throws -> JSONTape {
    tape.reset()
    loaded = nil
    try tape.load(text)
    return tape
  }
}
