import CSQLite

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Opens, reads, exports and saves a store some of whose bytes are others, and ends the process
/// unless all of it gives sound data or a status.
///
/// Called by libFuzzer. Four bytes at a time say what is changed: a page, a place in it, and a value.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzStore(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
  guard let data, let example = StoreExample.shared else { return 0 }
  let input = UnsafeBufferPointer(start: data, count: size)
  var bytes = example.bytes
  for change in stride(from: 0, to: size - size % 4, by: 4) {
    let page = Int(input[change]) % (bytes.count / StoreExample.pageSize)
    let place = Int(input[change + 1]) << 8 | Int(input[change + 2])
    bytes[page * StoreExample.pageSize + place % StoreExample.pageSize] = input[change + 3]
  }
  guard StoreExample.write(bytes) else { return 0 }
  let isChanged = bytes != example.bytes
  do {
    let context = try example.open()
    defer { require(context.brokenInvariants().isEmpty, "the graph is broken", input) }
    do {
      for entity in ["Hero", "Power"] {
        let text = try context.exportText(context.fetch(FetchRequest(entity)))
        require((try? JSONValue(parsing: text)) != nil, "an export is not JSON", input)
      }
    } catch {
      require(isChanged && isOfAFile(error), "reading fails: \(error)", input)
    }
    do {
      try context.importJSON(.text(StoreExample.news), into: "Hero")
      try context.save()
    } catch {
      require(isChanged && isOfASave(error), "writing fails: \(error)", input)
    }
  } catch {
    require(isChanged && isOfAFile(error), "opening fails: \(error)", input)
  }
  return 0
}

private func isOfAFile(_ error: any Error) -> Bool {
  let known: [Status] = [
    .storeInvalid, .storeValueInvalid, .storeTooNew, .storeModel, .storeFailed, .storeReadOnly,
    .fileError, .limitExceeded,
  ]
  return (error as? GrootError).map { known.contains($0.status) } ?? false
}

private func isOfASave(_ error: any Error) -> Bool {
  let known: [Status] = [.storeDuplicate, .storeConflict, .storeFull, .missingValue]
  return isOfAFile(error) || (error as? GrootError).map { known.contains($0.status) } ?? false
}

/// A small sound store.
private struct StoreExample {
  static let pageSize = 512
  static let path = "/tmp/groot-fuzz-store-\(getpid()).sqlite"
  static let news = #"[{"id": 3, "mentor": 7, "powers": ["new"]}, {"id": 99, "twin": 3}]"#
  static let shared = try? StoreExample()

  let mapping: Mapping
  private(set) var bytes: [UInt8] = []

  private init() throws {
    let attribute = #"{"type": "string", "optional": true, "userInfo": {"JSONKeyPath": "#
    mapping = try Mapping(
      model: ManagedObjectModel(
        document: """
          {"entities": {
            "Hero": {"userInfo": {"identityAttributes": "id"}, "attributes": {
              "id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}},
              "name": \(attribute)"name"}},
              "any": {"type": "transformable", "optional": true,
                "userInfo": {"JSONKeyPath": "any"}}},
              "relationships": {
                "mentor": {"destination": "Hero", "optional": true, "inverse": "pupils",
                  "userInfo": {"JSONKeyPath": "mentor"}},
                "pupils": {"destination": "Hero", "toMany": true, "optional": true,
                  "inverse": "mentor", "userInfo": {"JSONKeyPath": "pupils"}},
                "twin": {"destination": "Hero", "optional": true, "inverse": "twin",
                  "userInfo": {"JSONKeyPath": "twin"}},
                "powers": {"destination": "Power", "toMany": true, "optional": true,
                  "inverse": "heroes", "userInfo": {"JSONKeyPath": "powers"}}}},
            "Villain": {"parent": "Hero", "attributes": {"plan": \(attribute)"plan"}}}},
            "Power": {"userInfo": {"identityAttributes": "name"},
              "attributes": {"name": {"type": "string", "userInfo": {"JSONKeyPath": "name"}}},
              "relationships": {"heroes": {"destination": "Hero", "toMany": true,
                "optional": true, "inverse": "powers"}}}}}
          """))
    guard Self.write([]) else { throw GrootError(.fileError, Self.path) }
    try SQLiteDatabase(Self.path, creates: true, busyTimeout: 0)
      .execute("PRAGMA page_size = \(Self.pageSize); VACUUM")
    try fill()
    guard let file = fopen(Self.path, "rb") else { throw GrootError(.fileError, Self.path) }
    defer { fclose(file) }
    var block = [UInt8](repeating: 0, count: 1 << 20)
    bytes = Array(block[..<fread(&block, 1, block.count, file)])
    atexit { StoreExample.remove() }
  }

  private func fill() throws {
    let context = try open()
    let heroes = (1...16).map {
      #"{"id": \#($0), "name": "hero \#($0)", "any": {"n": [\#($0), null]}, "#
        + #""mentor": \#($0 / 3 + 1), "twin": \#($0 ^ 1), "powers": ["a", "b\#($0 % 3)"]}"#
    }
    try context.importJSON("[\(heroes.joined(separator: ","))]", into: "Hero")
    try context.importJSON(#"[{"id": 50, "plan": "all", "powers": ["a"]}]"#, into: "Villain")
    try context.save()
  }

  func open() throws -> ManagedObjectContext {
    var options = SQLiteStoreOptions()
    options.durability = .normal
    options.busyTimeout = 0
    return try ManagedObjectContext(mapping: mapping, storePath: Self.path, options: options)
  }

  static func remove() {
    for name in ["", "-wal", "-shm", "-journal"] { unlink(path + name) }
  }

  /// Puts bytes in the place of the file, without what a journal would add to it.
  static func write(_ bytes: [UInt8]) -> Bool {
    remove()
    guard let file = fopen(path, "wb") else { return false }
    defer { fclose(file) }
    return fwrite(bytes, 1, bytes.count, file) == bytes.count
  }
}
