import Testing

import Groot

/// Binary attributes hold JSON by convention; a program may store other bytes.
struct HyperBinaryTests {
  private static let document = """
    {"entities": {"Album": {"attributes": {
      "id": {"type": "integer32", "optional": true},
      "cover": {"type": "binary", "optional": true}}}}}
    """

  /// Whatever the bytes are, an export is JSON or an error, never broken text.
  @Test(arguments: ["", "abc", "1,\"id\":2", "{\"a\":1", "[1] x", "\u{1}", "nul", "\"x\""])
  func anyBytesAreExportedAsJSONOrRefused(text: String) throws {
    let model = try ManagedObjectModel(document: Self.document)
    let context = ManagedObjectContext(mapping: try Mapping(model: model, dialect: .hyper))
    let album = try context.insert("Album")
    try album.set("id", to: .integer(1))
    try album.set("cover", to: .binary(Array(text.utf8)))
    do {
      let exported = try JSONValue(parsing: context.exportText(album))
      #expect(exported.objectValue?.count == 2)
      #expect(exported["id"] == 1)
      #expect(exported["cover"] != nil)
    } catch {
      #expect(error.issues.first?.entity == "Album")
      #expect(error.issues.first?.property == "cover")
    }
  }
}
