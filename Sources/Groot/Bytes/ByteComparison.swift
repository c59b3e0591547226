/// Compares bytes, without a call for short ones, such as keys and names.
enum ByteComparison {
  @inline(__always)
  static func areEqual(
    _ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, count: Int
  ) -> Bool {
    let (left, right) = (UnsafeRawPointer(left), UnsafeRawPointer(right))
    if count >= 8 {
      if count > 16 { return CLibrary.compare(left, right, count: count) == 0 }
      let last = count &- 8
      return left.loadUnaligned(as: UInt64.self) == right.loadUnaligned(as: UInt64.self)
        && (left + last).loadUnaligned(as: UInt64.self)
          == (right + last).loadUnaligned(as: UInt64.self)
    }
    if count >= 4 {
      let last = count &- 4
      return left.loadUnaligned(as: UInt32.self) == right.loadUnaligned(as: UInt32.self)
        && (left + last).loadUnaligned(as: UInt32.self)
          == (right + last).loadUnaligned(as: UInt32.self)
    }
    if count >= 2 {
      let last = count &- 2
      return left.loadUnaligned(as: UInt16.self) == right.loadUnaligned(as: UInt16.self)
        && (left + last).loadUnaligned(as: UInt16.self)
          == (right + last).loadUnaligned(as: UInt16.self)
    }
    return count <= 0 || left.load(as: UInt8.self) == right.load(as: UInt8.self)
  }
}
