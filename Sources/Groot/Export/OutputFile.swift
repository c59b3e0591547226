/// A file that gets its final name when complete; until then it is a hidden file in the directory.
final class OutputFile {
  private let path: String
  private let temporary: String
  /// The open file; nil after it is complete.
  private var file: CLibrary.File?

  init(_ path: String) throws {
    self.path = path
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = slash.map { String(path[...$0]) } ?? ""
    var name = ""
    for _ in 0..<100 where file == nil {
      name = "\(folder).groot-\(UInt32.random(in: .min ... .max))"
      file = CLibrary.File(creating: name)
      if file == nil && !CLibrary.fileExists { break }
    }
    temporary = name
    guard file != nil else { throw fileError("cannot create", at: path) }
  }

  deinit {
    guard let file else { return }
    file.close()
    CLibrary.remove(temporary)
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    var written = 0
    while let file, written < bytes.count {
      let count = file.write(UnsafeRawBufferPointer(rebasing: bytes[written...]))
      if count >= 0 {
        written += count
      } else if !CLibrary.wasInterrupted {
        throw fileError("cannot write", at: path)
      }
    }
  }

  /// Renames the file to its final name, with the permissions of the file that it replaces.
  func finish() throws {
    guard let file else { return }
    file.copyPermissions(of: path)
    guard file.synchronize() else { throw fileError("cannot write", at: path) }
    guard CLibrary.rename(temporary, to: path) else {
      throw fileError("cannot replace", at: path)
    }
    file.close()
    self.file = nil
  }
}
