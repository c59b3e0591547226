// Sorting of a few elements, by one copy of the code.

extension Sequence {
  /// Returns the elements in order, as `sorted(by:)` does, by code that all types share.
  ///
  /// The compiler makes three kilobytes of `sorted(by:)` for each type. This is for a few elements,
  /// such as the columns of a table.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  package func sortedFew(
    by areInIncreasingOrder: (Element, Element) throws -> Bool
  ) rethrows -> [Element] {
    try sorted(by: areInIncreasingOrder)
  }
}
