import CAtomics
import CFiles

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The functions of C's library that are used: memory that may be refused, bytes, files, and the
/// process.
package enum CLibrary {
  /// Returns the time, in microseconds since 1970-01-01T00:00:00Z.
  static func now() -> Int64 {
    // clock_gettime would need a newer glibc.
    var time = timeval()
    gettimeofday(&time, nil)
    return Int64(time.tv_sec) &* 1_000_000 &+ Int64(time.tv_usec)
  }

  /// Returns a function of the program or of a library that is open for all; nil without it.
  package static func function(_ name: String) -> UnsafeMutableRawPointer? {
    dlopen(nil, RTLD_LAZY).flatMap { dlsym($0, name) }
  }

  // MARK: Memory

  /// Allocates a block of a number of bytes; nil without memory.
  @inline(__always)
  package static func allocate(_ size: Int) -> UnsafeMutableRawPointer? { malloc(size) }

  /// Returns whether a number of bytes could be allocated now.
  ///
  /// It does not use malloc and free, because a compiler that sees both removes both.
  @inline(never)
  static func hasRoom(_ size: Int) -> Bool {
    var block: UnsafeMutableRawPointer?
    guard posix_memalign(&block, 16, size) == 0 else { return false }
    free(block)
    return true
  }

  /// Changes the size of a block and keeps its content; nil without memory, and the old block stays
  /// valid.
  @inline(__always)
  static func resize(_ block: UnsafeMutableRawPointer?, to size: Int) -> UnsafeMutableRawPointer? {
    realloc(block, size)
  }

  /// Frees a block of ``allocate(_:)`` and similar functions.
  @inline(__always)
  package static func release(_ block: UnsafeMutableRawPointer?) { free(block) }

  /// The smallest block that is worth a call of ``populate(_:size:)``.
  static let populatedSize = 32 << 10

  /// Asks the system for the pages of a block that is filled soon.
  ///
  /// One call costs two thirds of the interruptions when the pages are first written to. Systems
  /// without it, before Linux 5.14, refuse the call, and nothing changes.
  static func populate(_ block: UnsafeMutableRawPointer, size: Int) {
    #if os(Linux)
    guard size >= populatedSize else { return }
    let page = 4096
    let before = (0 &- Int(bitPattern: block)) & (page &- 1)
    let populateForWriting: Int32 = 23
    madvise(block + before, (size &- before) & ~(page &- 1), populateForWriting)
    #endif
  }

  // MARK: Bytes

  /// Copies bytes between blocks that do not overlap.
  @inline(__always)
  static func copy(_ count: Int, from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer)
  {
    memcpy(target, source, count)
  }

  /// Copies bytes between blocks that may overlap.
  @inline(__always)
  static func move(_ count: Int, from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer)
  {
    memmove(target, source, count)
  }

  @inline(__always)
  static func fill(_ target: UnsafeMutableRawPointer, count: Int, with byte: UInt8 = 0) {
    memset(target, Int32(byte), count)
  }

  /// Compares bytes: negative if the left ones are first, zero if both are equal, positive
  /// otherwise.
  @inline(__always)
  static func compare(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int) -> Int {
    Int(memcmp(left, right, count))
  }

  /// Returns the first occurrence of a byte.
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

    /// Opens a file for reading; nil on failure.
    init?(reading path: String) {
      descriptor = groot_open(path, O_RDONLY | O_CLOEXEC, 0)
      if descriptor < 0 { return nil }
    }

    /// Makes a new file with the default permissions of the process; nil on failure.
    init?(creating path: String) {
      descriptor = groot_open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor < 0 { return nil }
    }

    /// The number of bytes of a regular file; nil for a pipe or device.
    var size: Int? {
      var status = stat()
      guard fstat(descriptor, &status) == 0, groot_is_regular_file(&status) else { return nil }
      return Int(status.st_size)
    }

    /// Reads the next bytes, or those from an offset on; returns their number, 0 at the end,
    /// negative on failure.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int?) -> Int {
      guard let offset else { return readBytes(descriptor, buffer.baseAddress, buffer.count) }
      return pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
    }

    /// Writes some of the bytes; returns their number, or a negative one on failure.
    func write(_ bytes: UnsafeRawBufferPointer) -> Int {
      writeBytes(descriptor, bytes.baseAddress, bytes.count)
    }

    /// Copies the permissions of another file, if it exists.
    func copyPermissions(of path: String) {
      var status = stat()
      if stat(path, &status) == 0 { fchmod(descriptor, status.st_mode & 0o7777) }
    }

    /// Writes buffered data to the disk; returns false on failure.
    func synchronize() -> Bool { fsync(descriptor) == 0 }

    func close() { _ = closeDescriptor(descriptor) }
  }

  /// Renames a file, and replaces a file of that name; returns false on failure.
  static func rename(_ path: String, to name: String) -> Bool { renamePath(path, name) == 0 }

  static func remove(_ path: String) { unlink(path) }

  /// Whether the last call was interrupted by a signal.
  static var wasInterrupted: Bool { groot_last_error() == EINTR }
  /// Whether the last call failed because a file of this name exists.
  static var fileExists: Bool { groot_last_error() == EEXIST }
  /// The system's message for the failure of the last call.
  static var failure: String { String(cString: strerror(groot_last_error())) }

  // MARK: The process

  /// The id of this process; a forked child has another one.
  package static var processID: Int32 { groot_process_id(forkMark) }

  /// The word that holds the id until a fork; nil where each question is a system call.
  nonisolated(unsafe) private static let forkMark = groot_fork_mark()
}

// C's names that the members above would hide.
private let readBytes = read
private let writeBytes = write
private let closeDescriptor = close
private let renamePath = rename
