/// The guarantee that a save to a store waits for.
public enum StoreDurability: String, CaseIterable, Sendable {
  /// A save waits for the disk: saved objects survive a loss of power.
  case full
  /// A save waits for the operating system: saved objects survive the end of the process. A loss
  /// of power may undo the last saves, each as a whole.
  case normal
}

/// The treatment of a store that was made for another model.
public enum StoreMigrationRule: Sendable {
  /// The store is refused.
  case refused
  /// The store is migrated, unless objects, values or links would be lost.
  case lossless
  /// The store is migrated, even if objects, values or links are lost.
  case destructive
}
