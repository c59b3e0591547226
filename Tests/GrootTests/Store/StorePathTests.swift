import Groot
import GrootSQLite
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where a store is: a path is a path, and the file at it is the one that is saved to.
struct StorePathTests {
  private func mapping() throws -> Mapping {
    try Mapping(
      model: ManagedObjectModel(
        document: """
          {"entities": {"Hero": {"userInfo": {"identityAttributes": "id"},
            "attributes": {"id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}}}}}}
          """))
  }

  private func save(_ id: Int, at path: String) throws {
    let context = try ManagedObjectContext(mapping: mapping(), storePath: path)
    try context.importJSON("[{\"id\": \(id)}]", into: "Hero")
    try context.save()
  }

  private func count(at path: String) throws -> Int {
    try ManagedObjectContext(mapping: mapping(), storePath: path).count(FetchRequest("Hero"))
  }

  @Test func unusablePathsAreRefused() throws {
    let file = try StoreFile()
    expectFailure(.invalidArgument, "path") { try save(1, at: "") }
    expectFailure(.invalidArgument, "path") { try save(1, at: file.path + "\0.sqlite") }
    expectFailure(.invalidArgument, "path") {
      var options = SQLiteStoreOptions()
      options.backup = ""
      _ = try ManagedObjectContext(mapping: mapping(), storePath: file.path, options: options)
    }
    expectFailure(.fileError) { try save(1, at: "/dev/null") }
    let pipe = file.folder + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    defer { unlink(pipe) }
    expectFailure(.fileError) { try save(1, at: pipe) }
    expectFailure(.fileError) { try save(1, at: file.folder) }
    #expect(!file.exists)
  }

  @Test func aFileThatIsTooShortIsNotAStore() throws {
    for count in [1, 2, 99, 100] {
      let file = try StoreFile()
      try file.write(String(repeating: "S", count: count))
      expectFailure(.storeInvalid) { try save(1, at: file.path) }
      #expect(try file.bytes().count == count)
    }
  }

  @Test func aFileThatIsGoneOrReplacedIsToldAtTheSave() throws {
    let (file, other) = (try StoreFile(), try StoreFile())
    for isReplaced in [false, true] {
      try save(1, at: file.path)
      let context = try ManagedObjectContext(mapping: mapping(), storePath: file.path)
      try context.importJSON(#"[{"id": 2}]"#, into: "Hero")
      let before = try context.changes
      for end in ["", "-wal", "-shm"] { unlink(file.path + end) }
      if isReplaced {
        try save(3, at: other.path)
        #expect(rename(other.path, file.path) == 0)
      }
      expectFailure(.fileError, file.path) { try context.save() }
      #expect(try context.changes == before)
      expectFailure(.fileError, file.path) {
        var options = ImportOptions()
        options.batchSize = 1
        try context.rollback()
        try context.importJSON(#"[{"id": 4}]"#, into: "Hero", options: options)
      }
      if isReplaced { #expect(try count(at: file.path) == 1) }
      for end in ["", "-wal", "-shm"] { unlink(file.path + end) }
    }
  }
}
