/// A reference to an object that its owner keeps for as long.
///
/// A use does not count references. Each count is an atomic instruction, of which an import into a store
/// made 31 for each object.
package struct Borrowed<Object: AnyObject> {
  private let object: Unmanaged<Object>

  @inline(__always)
  package init(_ object: Object) { self.object = .passUnretained(object) }

  /// Calls `body` with the object.
  @inline(__always)
  package func use<Result>(_ body: (Object) throws -> Result) rethrows -> Result {
    try object._withUnsafeGuaranteedRef(body)
  }
}
