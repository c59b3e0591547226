import CAtomics

/// A flag that any thread may set and ask for, and that one of several sets first.
package final class AtomicFlag: @unchecked Sendable {
  // Read and written by atomic operations alone.
  private let flag: UnsafeMutablePointer<UInt8>

  package init() {
    flag = .allocate(capacity: 1)
    flag.initialize(to: 0)
  }

  deinit { flag.deallocate() }

  /// Sets the flag; false when it was set already.
  @inline(__always)
  package func claim() -> Bool { groot_atomic_claim(flag) != 0 }

  @inline(__always)
  package func clear() { groot_atomic_store(flag, 0) }

  var isSet: Bool { groot_atomic_load(flag) != 0 }
}
