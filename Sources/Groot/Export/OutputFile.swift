#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that takes its name only when it is complete; until then it is a hidden neighbour.
final class OutputFile {
  private let path: String
  private let temporary: String
  private var descriptor: Int32

  init(_ path: String) throws {
    self.path = path
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = slash.map { String(path[...$0]) } ?? ""
    var name = ""
    var opened: Int32 = -1
    // Not mkstemp: a new file is to get the permissions that the process gives its files.
    for _ in 0..<100 where opened < 0 {
      name = "\(folder).groot-\(UInt32.random(in: .min ... .max))"
      opened = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if opened < 0 && errno != EEXIST { break }
    }
    temporary = name
    descriptor = opened
    guard descriptor >= 0 else { throw fileError("cannot create", at: path) }
  }

  deinit { abandon() }

  private func abandon() {
    guard descriptor >= 0 else { return }
    close(descriptor)
    unlink(temporary)
    descriptor = -1
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    var written = 0
    while written < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
      #if canImport(Glibc)
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      #elseif canImport(Musl)
        let count = Musl.write(descriptor, rest.baseAddress, rest.count)
      #else
        let count = Darwin.write(descriptor, rest.baseAddress, rest.count)
      #endif
      if count >= 0 {
        written += count
      } else if errno != EINTR {
        throw fileError("cannot write", at: path)
      }
    }
  }

  /// Gives the file its name; one that is replaced hands on its permissions.
  func finish() throws {
    var old = stat()
    if stat(path, &old) == 0 { fchmod(descriptor, old.st_mode & 0o7777) }
    guard fsync(descriptor) == 0 else { throw fileError("cannot write", at: path) }
    guard rename(temporary, path) == 0 else { throw fileError("cannot replace", at: path) }
    close(descriptor)
    descriptor = -1
  }
}
