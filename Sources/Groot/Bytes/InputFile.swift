/// A file that is open for several readers, or for one if it is a pipe or device.
final class InputFile {
  private let file: CLibrary.File
  private let path: String
  /// The number of bytes in the file; nil for a pipe or device.
  let size: Int?

  init(_ path: String) throws {
    guard let file = CLibrary.File(reading: path) else {
      throw fileError("cannot open", at: path)
    }
    self.file = file
    self.path = path
    size = file.size
  }

  deinit { file.close() }

  /// Reads up to the size of `buffer` from an offset; returns 0 at the end.
  ///
  /// A pipe or device is read from its current position.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Int {
    while true {
      let count = file.read(into: buffer, at: size == nil ? nil : offset)
      if count >= 0 { return count }
      guard CLibrary.wasInterrupted else { throw fileError("cannot read", at: path) }
    }
  }

  /// Calls `body` with all bytes, which are valid until it returns.
  func withContents<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) throws -> Result
  {
    // The buffer does not keep its account alive.
    let account = MemoryAccount()
    return try withExtendedLifetime(account) {
      var buffer = Buffer<UInt8>(account, capacity: Self.pieceSize)
      defer { buffer.deallocate() }
      while true {
        let end = try buffer.reserve(Self.pieceSize)
        let piece = UnsafeMutableRawBufferPointer(start: buffer.start + end, count: Self.pieceSize)
        let count = try read(into: piece, at: end)
        buffer.removeLast(to: end + count)
        if count == 0 { break }
      }
      return try body(UnsafeBufferPointer(start: buffer.start, count: buffer.count))
    }
  }

  private static let pieceSize = 65_536
}

/// Returns the failure of a call on a file, with the system's reason.
func fileError(_ action: String, at path: String) -> GrootError {
  GrootError(.fileError, "\(action) '\(path)': \(CLibrary.failure)")
}
