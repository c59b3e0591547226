import CGroot
import Groot

/// The names of all flags, by bit.
private let flagNames: KeyValuePairs<UInt32, String> = [
  GROOT_DRY_RUN: "GROOT_DRY_RUN", GROOT_CHANGES: "GROOT_CHANGES",
  GROOT_LINES: "GROOT_LINES",
  GROOT_IMPORT_NO_CREATE: "GROOT_IMPORT_NO_CREATE", GROOT_IMPORT_ACCESS: "GROOT_IMPORT_ACCESS",
  GROOT_SYNC_NO_INSERT: "GROOT_SYNC_NO_INSERT", GROOT_SYNC_NO_UPDATE: "GROOT_SYNC_NO_UPDATE",
  GROOT_SYNC_NO_DELETE: "GROOT_SYNC_NO_DELETE", GROOT_SYNC_MEMBERS: "GROOT_SYNC_MEMBERS",
  GROOT_SYNC_MEMBERS_NO_INSERT: "GROOT_SYNC_MEMBERS_NO_INSERT",
  GROOT_SYNC_MEMBERS_NO_UPDATE: "GROOT_SYNC_MEMBERS_NO_UPDATE",
  GROOT_SYNC_MEMBERS_NO_DELETE: "GROOT_SYNC_MEMBERS_NO_DELETE",
  GROOT_SYNC_MARK: "GROOT_SYNC_MARK", GROOT_SYNC_NO_WITHHOLD: "GROOT_SYNC_NO_WITHHOLD",
  GROOT_EXPORT_DEPTH: "GROOT_EXPORT_DEPTH", GROOT_EXPORT_TO_MANY: "GROOT_EXPORT_TO_MANY",
  GROOT_EXPORT_SUBOBJECTS: "GROOT_EXPORT_SUBOBJECTS",
  GROOT_MAPPING_IMPLICIT: "GROOT_MAPPING_IMPLICIT",
  GROOT_STORE_NO_CREATE: "GROOT_STORE_NO_CREATE",
  GROOT_STORE_NO_MIGRATE: "GROOT_STORE_NO_MIGRATE",
  GROOT_STORE_DESTRUCTIVE: "GROOT_STORE_DESTRUCTIVE",
  GROOT_STORE_TRIGGERS: "GROOT_STORE_TRIGGERS", GROOT_STORE_VIEWS: "GROOT_STORE_VIEWS",
]

/// Refuses flags that a call does not have.
func requireFlags(_ flags: UInt32, among allowed: UInt32, of what: String) throws {
  let wrong = flags & ~allowed
  if wrong == 0 { return }
  let names = flagNames.filter { wrong & $0.key != 0 }.map(\.value)
  let known = flagNames.reduce(0) { $0 | $1.key }
  guard wrong & ~known == 0 else {
    throw GrootError(.unsupported, "the flags \(wrong & ~known) are not known")
  }
  throw GrootError(
    .invalidArgument,
    "\(names.joined(separator: ", ")): not flags of \(what)")
}
