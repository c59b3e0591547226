import Groot
import GrootSQLite

extension SQLiteStoreOptions {
  /// Options of a store as a table of tests writes them: `migrate`, `backup`, `triggers`, `views`,
  /// `versions`.
  init(_ json: JSONValue) {
    self.init()
    switch json["migrate"] {
    case .boolean(false): migration = .refused
    case .string("destructive"): migration = .destructive
    default: break
    }
    backup = json["backup"]?.stringValue
    allowsTriggers = json["triggers"] == .boolean(true)
    makesViews = json["views"] == .boolean(true)
    raisesVersions = json["versions"] == .boolean(true)
  }
}
