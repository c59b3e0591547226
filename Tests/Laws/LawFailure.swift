@testable import Groot

/// A law that does not hold.
struct LawFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

extension ManagedObjectContext {
  /// Throws when the graph contradicts itself.
  func checkInvariants() throws {
    let broken = brokenInvariants()
    if !broken.isEmpty { throw LawFailure("invariants: \(broken)") }
  }
}
