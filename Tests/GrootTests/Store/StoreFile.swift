import Testing

import Groot
@testable import GrootSQLite

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

  /// The size of the write-ahead log in bytes; 0 without one.
  func logSize() throws -> Int64 {
    if case .plain(let size) = SQLiteDatabase.file(at: path + "-wal") { size } else { 0 }
  }

  /// Opens the file as a database, beside a context.
  func database(creates: Bool = false) throws -> SQLiteDatabase {
    try SQLiteDatabase(path, creates: creates, busyTimeout: 50)
  }

  /// Counts the rows of a query, and reads all of their columns.
  func rowCount(_ sql: String) throws -> Int {
    let rows = try SQLiteStatement(sql, database: database())
    var count = 0
    while try rows.step() { count += 1 }
    return count
  }

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
