#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that is read from its beginning to its end.
final class InputFile {
  private let descriptor: Int32
  private let path: String

  init(_ path: String) throws {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    self.path = path
    guard descriptor >= 0 else { throw fileError("cannot open", at: path) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Whether the file can be read again: it is no pipe or device.
  var isRegular: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// How many bytes the file has; nil for a pipe or device.
  var size: Int? {
    var status = stat()
    guard isRegular, fstat(descriptor, &status) == 0 else { return nil }
    return Int(status.st_size)
  }

  /// Reads up to the size of `buffer`; 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    while true {
      #if canImport(Glibc)
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      #elseif canImport(Musl)
        let count = Musl.read(descriptor, buffer.baseAddress, buffer.count)
      #else
        let count = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
      #endif
      if count >= 0 { return count }
      guard errno == EINTR else { throw fileError("cannot read", at: path) }
    }
  }
}

/// The failure of a call on a file, with the system's reason.
func fileError(_ action: String, at path: String) -> GrootError {
  GrootError(.fileError, "\(action) '\(path)': \(String(cString: strerror(errno)))")
}
