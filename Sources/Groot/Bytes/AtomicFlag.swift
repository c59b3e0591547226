import CAtomics

/// A flag that any thread may set and read; of several threads, one sets it first.
package final class AtomicFlag: @unchecked Sendable {
  // Read and written only by atomic operations.
  private let flag: UnsafeMutablePointer<UInt8>

  package init() {
    flag = .allocate(capacity: 1)
    flag.initialize(to: 0)
  }

  deinit { flag.deallocate() }

  /// Sets the flag; returns false if it was already set.
  @inline(__always)
  package func claim() -> Bool { groot_atomic_claim(flag) != 0 }

  @inline(__always)
  package func clear() { groot_atomic_store(flag, 0) }

  var isSet: Bool { groot_atomic_load(flag) != 0 }
}
