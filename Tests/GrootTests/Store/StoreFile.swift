import Testing

import Groot

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A place for a store in a folder of its own, which goes when the test is over.
final class StoreFile {
  let folder: String
  var path: String { folder + "/store.sqlite" }

  init() throws {
    var template = Array("/tmp/groot-store-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { bytes in
      bytes.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
    }
    folder = try #require(made)
  }

  deinit {
    for name in ["", "-wal", "-shm", "-journal"] { unlink(path + name) }
    rmdir(folder)
  }

  var exists: Bool { access(path, F_OK) == 0 }

  /// The bytes of the file.
  func bytes() throws -> [UInt8] {
    let file = try #require(fopen(path, "rb"))
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&block, 1, block.count, file)
      if count == 0 { return bytes }
      bytes += block[..<count]
    }
  }

  func write(_ text: String) throws {
    let file = try #require(fopen(path, "wb"))
    defer { fclose(file) }
    fputs(text, file)
  }

  /// Puts other bytes instead of the file, without what a journal would add to it.
  func replace(_ bytes: [UInt8]) throws {
    for name in ["-wal", "-shm", "-journal"] { unlink(path + name) }
    let file = try #require(fopen(path, "wb"))
    defer { fclose(file) }
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
  }
}
