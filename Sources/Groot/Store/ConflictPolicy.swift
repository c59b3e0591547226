/// The behaviour of a save where another process has written to the same object since it was read.
public enum ConflictPolicy: String, CaseIterable, Sendable {
  /// It fails, and nothing is written.
  case error
  /// The values changed here are written over the others', one by one.
  case mine
  /// The changes made here to such an object are dropped, and the object is read again.
  case theirs
}
