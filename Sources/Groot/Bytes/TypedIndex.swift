/// A number that counts one kind of element, distinct in type from those of other kinds.
///
/// It is as fast as a plain integer.
@usableFromInline
package protocol TypedIndex: Strideable, Hashable, BitwiseCopyable, CustomStringConvertible,
  Sendable
where Stride == Int {
  associatedtype RawValue: FixedWidthInteger & Sendable

  var rawValue: RawValue { get }
  init(rawValue: RawValue)
}

extension TypedIndex {
  @inline(__always)
  package init(_ number: Int) { self.init(rawValue: RawValue(truncatingIfNeeded: number)) }

  /// The number, for arrays and pointers.
  @inlinable @inline(__always)
  package var offset: Int { Int(truncatingIfNeeded: rawValue) }

  /// The number as text.
  package var description: String { String(rawValue) }

  @inline(__always)
  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  @inline(__always)
  package static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }
  @inline(__always)
  package func distance(to other: Self) -> Int { other.offset &- offset }
  @inline(__always)
  package func advanced(by count: Int) -> Self { Self(offset &+ count) }
  @inline(__always)
  package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension UnsafeMutablePointer {
  @inline(__always)
  package subscript<Index: TypedIndex>(index: Index) -> Pointee {
    unsafeAddress { UnsafePointer(self + index.offset) }
    nonmutating unsafeMutableAddress { self + index.offset }
  }

  @inline(__always)
  package static func + <Index: TypedIndex>(pointer: Self, index: Index) -> Self {
    pointer + index.offset
  }
}

extension UnsafePointer {
  @inline(__always)
  package subscript<Index: TypedIndex>(index: Index) -> Pointee {
    unsafeAddress { self + index.offset }
  }
}

extension Array {
  @inlinable @inline(__always)
  package subscript<Index: TypedIndex>(index: Index) -> Element {
    get { self[index.offset] }
    _modify { yield &self[index.offset] }
  }
}

extension Array {
  /// Returns the elements with their typed numbers.
  package func numbered<Index: TypedIndex>(by: Index.Type) -> Zip2Sequence<Range<Index>, Self> {
    zip(Index(0)..<Index(count), self)
  }
}
