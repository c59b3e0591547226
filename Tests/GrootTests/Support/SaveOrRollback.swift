import Testing

import Groot

extension ManagedObjectContext {
  /// Saves, or goes back to the last save where several objects have one identity; whether it saved.
  @discardableResult
  func saveOrRollBack() throws -> Bool {
    do {
      try save()
      return true
    } catch {
      #expect(error.status == .identityConflict)
      try rollback()
      return false
    }
  }
}
