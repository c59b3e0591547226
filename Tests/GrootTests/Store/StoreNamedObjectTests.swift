import GrootSQLite
import Testing

@testable import Groot

/// Objects that were only named, in a store: what brings them, and what says more of their entity.
struct StoreNamedObjectTests {
  private static let document = """
    {"entities": {
      "Work": {"userInfo": {"identityAttributes": "id"},
        "attributes": {"id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}}},
        "relationships": {
          "next": {"destination": "Work", "inverse": "previous", "optional": true,
            "userInfo": {"JSONKeyPath": "next"}},
          "previous": {"destination": "Work", "inverse": "next", "toMany": true, "optional": true},
          "novel": {"destination": "Novel", "optional": true, "userInfo": {"JSONKeyPath": "novel"}},
          "poem": {"destination": "Poem", "optional": true, "userInfo": {"JSONKeyPath": "poem"}}}},
      "Novel": {"parent": "Work", "attributes": {
        "form": {"type": "string", "default": "prose", "userInfo": {"JSONKeyPath": "form"}}}},
      "Poem": {"parent": "Work", "attributes": {
        "lines": {"type": "integer64", "optional": true, "userInfo": {"JSONKeyPath": "lines"}}}}}}
    """

  private let mapping: Mapping

  init() throws {
    mapping = try Mapping(model: ManagedObjectModel(document: Self.document))
  }

  private func open(_ file: StoreFile) throws -> ManagedObjectContext {
    try ManagedObjectContext(mapping: mapping, storePath: file.path)
  }

  /// The entities and numbers of all works, in the order of their numbers.
  private func works(_ context: ManagedObjectContext) throws -> [String] {
    let request = FetchRequest("Work", sort: [.ascending("id")])
    return try context.fetch(request).map {
      let text = try context.exportText([$0])
      return try "\($0.entityName()) \(text)"
    }
  }

  /// What another context names after this one has found the store empty, and holds no moment of it any
  /// more, as when the store could not be read at the end of a call.
  @Test func placeholdersOfOthersAreBrought() throws {
    let file = try StoreFile()
    let (one, other) = (try open(file), try open(file))
    try one.importJSON(#"{"id": 1}"#, into: "Work")
    try one.rollback()
    one.coordinator?.endSnapshot()
    try other.importJSON(#"{"id": 2, "next": 5}"#, into: "Work")
    try other.save()
    try one.importJSON(#"{"id": 5, "lines": 14}"#, into: "Poem")
    try one.save()
    for context in [one, try open(file)] {
      let poem = try #require(context.fetch(FetchRequest("Poem")).first)
      #expect(try context.count(FetchRequest("Work")) == 2)
      #expect(try poem.members("previous").map { try $0["id"] } == [2])
      #expect(context.brokenInvariants() == [])
    }
  }

  /// An identifier may say more of the entity than the one before, also when the object is saved.
  @Test(arguments: ["Novel", "Poem"])
  func aSavedPlaceholderBecomesOneOfASubEntity(entity: String) throws {
    let file = try StoreFile()
    let context = try open(file)
    try context.importJSON(#"{"id": 1, "next": 5}"#, into: "Work")
    try context.save()
    let before = try works(context)
    let text = #"{"id": 2, "\#(entity.lowercased())": 5}"#
    try context.importJSON(.text(text), into: "Work")
    #expect(try context.changes == ChangeCounts(inserted: 1, updated: 1))
    #expect(try context.count(FetchRequest(entity)) == 1)
    try context.rollback()
    #expect(try context.changes == ChangeCounts())
    #expect(try works(context) == before)
    try context.importJSON(.text(text), into: "Work")
    try context.save()
    let after = try works(context)
    #expect(after.map { $0.prefix(5) } == ["Work ", "Work ", "\(entity) ".prefix(5)])
    #expect(try works(open(file)) == after)
    #expect(try open(file).count(FetchRequest(entity)) == 1)
    #expect(try context.changes == ChangeCounts())
  }
}
