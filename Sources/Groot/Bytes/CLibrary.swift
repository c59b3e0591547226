import CFiles

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// All that the library asks of C's: memory that may be refused, bytes, files, and the process.
package enum CLibrary {
  /// The time, in microseconds since 1970-01-01T00:00:00Z.
  static func now() -> Int64 {
    // clock_gettime would ask for a younger glibc.
    var time = timeval()
    gettimeofday(&time, nil)
    return Int64(time.tv_sec) &* 1_000_000 &+ Int64(time.tv_usec)
  }

  // MARK: Memory

  /// A block of so many bytes; nil when there is no room for it.
  @inline(__always)
  package static func allocate(_ size: Int) -> UnsafeMutableRawPointer? { malloc(size) }

  /// A block of zeros.
  @inline(__always)
  static func allocateZeros(_ size: Int) -> UnsafeMutableRawPointer? { calloc(1, size) }

  /// Whether there is room for so many bytes at this moment.
  ///
  /// Not by malloc and free: a compiler that sees both leaves both out.
  @inline(never)
  static func hasRoom(_ size: Int) -> Bool {
    var block: UnsafeMutableRawPointer?
    guard posix_memalign(&block, 16, size) == 0 else { return false }
    free(block)
    return true
  }

  /// A block of another size with the old one's content; nil, and the old one stays, without room.
  @inline(__always)
  static func resize(_ block: UnsafeMutableRawPointer?, to size: Int) -> UnsafeMutableRawPointer? {
    realloc(block, size)
  }

  /// Gives up what ``allocate(_:)`` and its like gave.
  @inline(__always)
  package static func release(_ block: UnsafeMutableRawPointer?) { free(block) }

  // MARK: Bytes

  /// Copies bytes; the two places do not overlap.
  @inline(__always)
  static func copy(_ count: Int, from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer)
  {
    memcpy(target, source, count)
  }

  /// Copies bytes; the two places may overlap.
  @inline(__always)
  static func move(_ count: Int, from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer)
  {
    memmove(target, source, count)
  }

  @inline(__always)
  static func fill(_ target: UnsafeMutableRawPointer, count: Int, with byte: UInt8 = 0) {
    memset(target, Int32(byte), count)
  }

  /// Negative, zero or positive as the first bytes come before, equal or follow the others.
  @inline(__always)
  static func compare(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int) -> Int {
    Int(memcmp(left, right, count))
  }

  /// Where a byte first occurs.
  @inline(__always)
  static func find(
    _ byte: UInt8, in bytes: UnsafeRawPointer, count: Int
  ) -> UnsafeMutableRawPointer? {
    memchr(bytes, Int32(byte), count)
  }

  // MARK: Files

  /// An open file, which its owner closes.
  struct File {
    fileprivate let descriptor: Int32

    /// Opens a file for reading; nil when that fails.
    init?(reading path: String) {
      descriptor = groot_open(path, O_RDONLY | O_CLOEXEC, 0)
      if descriptor < 0 { return nil }
    }

    /// Makes a new file, with the permissions that the process gives its files.
    init?(creating path: String) {
      descriptor = groot_open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor < 0 { return nil }
    }

    /// How many bytes a regular file has; nil for a pipe or device.
    var size: Int? {
      var status = stat()
      guard fstat(descriptor, &status) == 0, groot_is_regular_file(&status) else { return nil }
      return Int(status.st_size)
    }

    /// Reads on, or from an offset on; the number of bytes, 0 at the end, negative on failure.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int?) -> Int {
      guard let offset else { return readBytes(descriptor, buffer.baseAddress, buffer.count) }
      return pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
    }

    /// Writes some of the bytes; how many, or negative on failure.
    func write(_ bytes: UnsafeRawBufferPointer) -> Int {
      writeBytes(descriptor, bytes.baseAddress, bytes.count)
    }

    /// Takes over the permissions of another file, if it exists.
    func copyPermissions(of path: String) {
      var status = stat()
      if stat(path, &status) == 0 { fchmod(descriptor, status.st_mode & 0o7777) }
    }

    /// Has all that was written reach the disk; false on failure.
    func synchronize() -> Bool { fsync(descriptor) == 0 }

    func close() { _ = closeDescriptor(descriptor) }
  }

  /// Gives a file another name, over one that has it; false on failure.
  static func rename(_ path: String, to name: String) -> Bool { renamePath(path, name) == 0 }

  static func remove(_ path: String) { unlink(path) }

  /// Whether the last call failed only because a signal came.
  static var wasInterrupted: Bool { groot_last_error() == EINTR }
  /// Whether it failed because a file of this name is there.
  static var fileExists: Bool { groot_last_error() == EEXIST }
  /// Why it failed, in the system's words.
  static var failure: String { String(cString: strerror(groot_last_error())) }

  // MARK: The process

  /// The number of this process; a forked child has another one.
  package static var processID: Int32 { getpid() }
}

// C's names that the members above would hide.
private let readBytes = read
private let writeBytes = write
private let closeDescriptor = close
private let renamePath = rename
