#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that is open for reading: by several at once, or once if it is a pipe or device.
final class InputFile {
  private let descriptor: Int32
  private let path: String
  /// How many bytes the file has; nil for a pipe or device.
  let size: Int?

  init(_ path: String) throws {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    self.path = path
    var status = stat()
    let isRegular =
      descriptor >= 0 && fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    size = isRegular ? Int(status.st_size) : nil
    guard descriptor >= 0 else { throw fileError("cannot open", at: path) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Reads up to the size of `buffer` from an offset on; 0 at the end.
  ///
  /// A pipe or device is read on, wherever that is.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Int {
    while true {
      let count =
        size == nil
        ? readOn(into: buffer)
        : pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if count >= 0 { return count }
      guard errno == EINTR else { throw fileError("cannot read", at: path) }
    }
  }

  private func readOn(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    #if canImport(Glibc)
      Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    #elseif canImport(Musl)
      Musl.read(descriptor, buffer.baseAddress, buffer.count)
    #else
      Darwin.read(descriptor, buffer.baseAddress, buffer.count)
    #endif
  }
}

/// The failure of a call on a file, with the system's reason.
func fileError(_ action: String, at path: String) -> GrootError {
  GrootError(.fileError, "\(action) '\(path)': \(String(cString: strerror(errno)))")
}
