/// Text that is compared by its bytes, like the keys of JSON.
///
/// In Swift, a `String` equals its canonical equivalents in Unicode, such as `"é"` and
/// `"e\u{301}"`. Names of a model, keys and annotations are looked up as a `Name`, so that they
/// mean the same everywhere.
package struct Name: Hashable, Comparable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (left: Name, right: Name) -> Bool {
    var (left, right) = (left.text, right.text)
    return left.withUTF8 { one in
      right.withUTF8 { other in
        guard one.count == other.count, let one = one.baseAddress, let start = other.baseAddress
        else { return one.count == other.count }
        return ByteComparison.areEqual(one, start, count: other.count)
      }
    }
  }

  package static func < (left: Name, right: Name) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var text = self.text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
