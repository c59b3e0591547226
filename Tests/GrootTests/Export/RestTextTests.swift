import Testing

@testable import Groot

/// The bytes of unmapped keys in an export, which copies them from the text that an object has.
struct RestTextTests {
  private static let document = """
    {"entities": {"Item": {"userInfo": {"identityAttributes": "id"}, "attributes": {
      "id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}},
      "width": {"type": "integer64", "optional": true,
        "userInfo": {"JSONKeyPath": "size.width", "groot.exportNull": "omit"}},
      "second": {"type": "integer64", "optional": true,
        "userInfo": {"JSONKeyPath": "list[1]", "groot.exportNull": "omit"}},
      "rest": {"type": "transformable", "optional": true,
        "userInfo": {"JSONKeyPath": "@rest"}}}}}}
    """

  private func context() throws -> ManagedObjectContext {
    let model = try ManagedObjectModel(document: JSONValue(parsing: Self.document))
    return ManagedObjectContext(mapping: try Mapping(model: model))
  }

  /// The text of an imported object, and what an export writes.
  @Test(arguments: [
    // Keys are in the order of their bytes, after mapped ones, and the last of equal keys counts.
    (
      #"{"z":1,"é":[ 1 , {"q":{},"p":[]} ],"z":2,"id":1,"Z":null,"":true}"#,
      #"{"id":1,"":true,"Z":null,"z":2,"é":[1,{"p":[],"q":{}}]}"#
    ),
    // Brackets and quotes in strings, and strings that end within the last sixteen bytes.
    (
      #"{"id":1,"a\"]":"}\\\"]","b\\":"\u0041\u0001\n","long":"more than sixteen \" bytes\\"}"#,
      #"{"id":1,"a\"]":"}\\\"]","b\\":"A\u0001\n","long":"more than sixteen \" bytes\\"}"#
    ),
    // Numbers of each kind; the digits of whole numbers that doubles lack.
    (
      #"{"id":1,"n":[-0,1.0,1E5,12345678901234567890,0.30000000000000004,9223372036854775000.0]}"#,
      #"{"id":1,"n":[0,1.0,100000.0,12345678901234567890,0.30000000000000004,9.223372036854775e+18]}"#
    ),
    (
      #"{"id":1,"size":{"z":1,"width":2,"a":[3]},"list":[[4],5,{"b":6},7]}"#,
      #"{"id":1,"size":{"width":2,"a":[3],"z":1},"list":[[4],5,{"b":6},7]}"#
    ),
    (
      #"{"other":[],"id":1,"size":null}"#,
      #"{"id":1,"size":null,"other":[]}"#
    ),
  ])
  func unmappedKeysAreCopied(text: String, written: String) throws {
    let context = try context()
    let item = try context.importJSON(.text(text), into: "Item")[0]
    #expect(try context.exportText(item) == written)
  }

  /// A program's own value has the same form, whatever its order.
  @Test func aValueOfAProgramIsWritten() throws {
    let context = try context()
    let item = try context.importJSON(.text(#"{"id":1,"size":{"width":2}}"#), into: "Item")[0]
    let digits = try "[9223372036854775000.0,9007199254740993.0,12345678901234567890.5,1.10]"
      .withContiguousText { try JSONValue(keepingDigits: $0) }
    try item.set("rest", to: .json(["size": ["width": 3, "b": 1, "a": 2], "id": 4, "d": digits]))
    let written = try context.exportText(item)
    #expect(
      written == #"{"id":1,"size":{"width":2,"a":2,"b":1},"#
        + #""d":[9.223372036854775e+18,9007199254740993.0,12345678901234567890.5,1.1]}"#)
    try item.set("rest", to: .json(["only"]))
    #expect(try context.exportText(item) == #"{"id":1,"size":{"width":2}}"#)
  }
}

extension String {
  /// Calls a function with the bytes of the text.
  fileprivate func withContiguousText<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    var text = self
    return try text.withUTF8(body)
  }
}
