import Testing

@testable import Groot

/// Of equal keys of a collection the last one counts, among few keys and among many.
struct RepeatedKeyTests {
  private static let document = """
    {"entities": {
      "Record": {"userInfo": {"identityAttributes": "id"},
        "attributes": {"id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}}},
        "relationships": {
          "parts": {"destination": "Part", "toMany": true, "ordered": true, "optional": true,
            "inverse": "record", "userInfo": {"JSONKeyPath": "parts", "groot.form": "keyed"}}}},
      "Part": {"userInfo": {"identityAttributes": "record, name"},
        "attributes": {
          "name": {"type": "string", "userInfo": {"JSONKeyPath": "@key"}},
          "size": {"type": "integer64", "optional": true, "userInfo": {"JSONKeyPath": "size"}}},
        "relationships": {
          "record": {"destination": "Record", "optional": true, "inverse": "parts"}}}}}
    """

  private static let keys = [
    "", "a", "b", "ab", "ba", "abc", "abd", "a key of its own", "a key of it all", "abcdefgh",
    "abcdefgi", "a key of more than sixteen bytes", "é",
  ]

  @Test(arguments: 2...13)
  func theLastOfEqualKeysCounts(count: Int) throws {
    let mapping = try Mapping(model: ManagedObjectModel(document: Self.document))
    for repeated in 0..<(count - 1) {
      var keys = Array(Self.keys.prefix(count - 1))
      keys.append(keys[repeated])
      let parts = keys.enumerated().map { #""\#($1)": {"size": \#($0)}"# }
      let context = ManagedObjectContext(mapping: mapping)
      let report = try context.importJSON(
        .text(#"{"id": 1, "parts": {\#(parts.joined(separator: ", "))}}"#), into: "Record"
      ).report
      #expect(report.inserted == count)
      let sizes = try context.fetch(FetchRequest("Part")).map { try $0["size"] }
      let given = (0..<(count - 1)).map { $0 == repeated ? count - 1 : $0 }
      #expect(sizes == given.map { .integer(Int64($0)) })
    }
  }
}
