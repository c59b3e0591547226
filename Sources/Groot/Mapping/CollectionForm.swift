/// How several objects are arranged in JSON.
public enum CollectionForm: Int32, CaseIterable, Sendable {
  /// An array of them.
  case array = 0
  /// An object that has each of them under a key.
  case keyed = 1
  /// An object that has an array of them under each key.
  case grouped = 2
}
