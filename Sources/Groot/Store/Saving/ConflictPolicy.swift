/// The behaviour of a save when another process wrote to the same object after it was read.
public enum ConflictPolicy: String, CaseIterable, Sendable {
  /// The save fails, and nothing is written.
  case error
  /// The save writes each value changed here over the other's value.
  case mine
  /// The save drops the changes made here to the object, and the object is read again.
  case theirs
}
