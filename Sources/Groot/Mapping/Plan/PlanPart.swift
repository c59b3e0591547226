/// A reference to a part of a plan: an entity, a step, an output or a key.
///
/// It is as fast as a pointer, and has the members of the part.
@dynamicMemberLookup
struct PlanPart<Part> {
  let pointer: UnsafeMutablePointer<Part>

  @inline(__always)
  init(_ pointer: UnsafeMutablePointer<Part>) { self.pointer = pointer }

  /// The part as a value.
  @inline(__always)
  var value: Part { pointer.pointee }

  @inline(__always)
  subscript<Member>(dynamicMember member: KeyPath<Part, Member>) -> Member {
    pointer.pointee[keyPath: member]
  }

  /// The parts that follow in the plan.
  @inline(__always)
  subscript(position: Int) -> Part { pointer[position] }
  @inline(__always)
  subscript<Index: TypedIndex>(index: Index) -> Part { pointer[index.offset] }
  @inline(__always)
  static func + (part: Self, count: Int) -> Self { Self(part.pointer + count) }
  @inline(__always)
  static func + <Index: TypedIndex>(part: Self, index: Index) -> Self {
    Self(part.pointer + index.offset)
  }
  @inline(__always)
  static func - (part: Self, other: Self) -> Int { part.pointer - other.pointer }

  func deallocate() { pointer.deallocate() }
}
