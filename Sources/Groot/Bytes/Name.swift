/// Text that is compared by its bytes, like the keys of JSON.
///
/// In Swift, a `String` equals its canonical equivalents in Unicode, such as `"é"` and
/// `"e\u{301}"`. Names of a model, keys and annotations are looked up as a `Name`, so that they
/// mean the same everywhere.
package struct Name: Hashable, Comparable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (left: Name, right: Name) -> Bool {
    // Most names differ in their lengths, which takes no copy.
    guard left.text.utf8.count == right.text.utf8.count else { return false }
    let areEqual = left.text.utf8.withContiguousStorageIfAvailable { one in
      right.text.utf8.withContiguousStorageIfAvailable { other in
        guard let one = one.baseAddress, let start = other.baseAddress else { return true }
        return ByteComparison.areEqual(one, start, count: other.count)
      }
    }
    // A text of another system may have no bytes at hand.
    return (areEqual ?? nil) ?? left.text.utf8.elementsEqual(right.text.utf8)
  }

  package static func < (left: Name, right: Name) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    let isDone: Void? = text.utf8.withContiguousStorageIfAvailable {
      hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    if isDone == nil { Array(text.utf8).withUnsafeBytes { hasher.combine(bytes: $0) } }
  }
}
