/// The guarantee that a save to a store waits for.
public enum StoreDurability: String, CaseIterable, Sendable {
  /// A save waits for the disk: saved objects survive a loss of power.
  case full
  /// A save waits for the operating system: saved objects survive the end of the process. A loss
  /// of power may undo the last saves, each as a whole.
  case normal
}

/// The access to the file of a store.
public enum StoreAccess: Sendable {
  /// The file is read and written, and created if it is missing.
  case readWrite
  /// The file is read only; a save with changes is ``Status/storeReadOnly``.
  ///
  /// If the folder cannot be written either, and no log is beside the file, it is read as
  /// ``immutable``.
  case readOnly
  /// The file is read only, and no program changes it: nothing is locked, and no log is looked for.
  ///
  /// If a program changes the file nevertheless, wrong values may be read.
  case immutable
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
