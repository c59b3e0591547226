/// The texts that a program keeps beside the objects of a context, by name.
struct ContextNotes {
  /// The changes since the last save; an inner nil removes a note.
  private(set) var pending: NameMap<String?> = [:]
  /// The saved notes of a context without a store.
  private var saved: NameMap<String> = [:]

  /// The greatest length of a name in bytes: databases index names.
  private static let longestName = 200

  /// Refuses a name or a text that not every store can hold.
  private static func require(_ name: String, _ text: String? = nil) throws {
    guard (1...longestName).contains(name.utf8.count), !name.utf8.contains(0) else {
      throw GrootError(
        .invalidArgument,
        "the name of a note has 1 to \(longestName) bytes without a NUL, not \(name.utf8.count)")
    }
    if let text, text.utf8.contains(0) {
      throw GrootError(.invalidArgument, "the note '\(name)' has a NUL in it")
    }
  }

  /// Returns a note as the next save would leave it; nil without one.
  func text(_ name: String, in coordinator: StoreCoordinator?) throws -> String? {
    try Self.require(name)
    if let changed = pending[name] { return changed }
    guard let coordinator else { return saved[name] }
    try coordinator.beginSnapshot()
    return try coordinator.store.note(name)
  }

  /// Sets a note, or removes it with nil, when the context is saved.
  mutating func set(_ name: String, to text: String?) throws {
    try Self.require(name, text)
    pending[name] = .some(text)
  }

  mutating func rollBack() { pending = [:] }

  /// Ends a save; only a context without a store keeps the notes itself.
  mutating func finishSave(isStored: Bool) {
    if !isStored { for (name, text) in pending { saved[name] = text } }
    pending = [:]
  }
}
