/// What a save does where another process has written to the same object since it was read.
public enum ConflictPolicy: String, CaseIterable, Sendable {
  /// It fails, and nothing is written.
  case error
  /// What was changed here is written over, value by value.
  case mine
  /// What was changed here in such an object is dropped, and the object read again.
  case theirs
}
