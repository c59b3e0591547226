/// A reference to an object that its owner keeps for as long.
///
/// Its uses do not count references, which is an atomic instruction each and shows where it is done for
/// each object of an import.
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
