import Testing

@testable import Groot

/// What is kept in fewer bits than it comes in, and what callbacks may make of a record: each with a
/// limit that is smaller than the real one.
@Suite struct ImportLimitTests {
  private static let model: JSONValue = [
    "entities": [
      "Node": [
        "userInfo": ["JSONDictionaryTransformerName": "D", "identityAttributes": "id"],
        "attributes": [
          "id": ["type": "integer64", "optional": true, "userInfo": ["JSONKeyPath": "id"]],
          "name": ["type": "string", "optional": true, "userInfo": ["JSONKeyPath": "name"]],
          "data": ["type": "binary", "optional": true, "userInfo": ["JSONKeyPath": "data"]],
          "any": ["type": "transformable", "optional": true, "userInfo": ["JSONKeyPath": "any"]],
        ],
        "relationships": [
          "children": [
            "destination": "Node", "toMany": true, "inverse": "parent", "optional": true,
            "userInfo": ["JSONKeyPath": "children"],
          ],
          "parent": ["destination": "Node", "inverse": "children", "optional": true],
          "friends": [
            "destination": "Node", "toMany": true, "inverse": "friendOf", "optional": true,
            "userInfo": ["JSONKeyPath": "friends"],
          ],
          "friendOf": [
            "destination": "Node", "toMany": true, "inverse": "friends", "optional": true,
          ],
        ],
      ]
    ]
  ]

  private func context(
    _ transform: @escaping @Sendable (JSONValue) throws -> JSONValue? = { _ in nil }
  ) throws -> ManagedObjectContext {
    var registry = TransformerRegistry()
    registry.setDictionaryTransformer("D", transform)
    return ManagedObjectContext(
      mapping: try Mapping(
        model: ManagedObjectModel(document: Self.model), registry: registry))
  }

  @Test func textsAreNoLongerThanTheirLengthCanSay() throws {
    let context = try context()
    context.graph.maximumTextLength = 20
    let object = try context.insert("Node").id
    for (name, value) in [
      ("name", Value.string(String(repeating: "x", count: 21))),
      ("data", .binary([UInt8](repeating: 0, count: 21))),
      ("any", .json(.string(String(repeating: "x", count: 19)))),
    ] {
      let error = #expect(throws: GrootError.self) {
        try context.setValue(value, .name(name), of: object)
      }
      #expect(error?.status == .limitExceeded)
      #expect(error?.issues.first?.property == name)
      #expect(try context.value(.name(name), of: object) == .null)
    }
    try context.setValue(.string(String(repeating: "x", count: 20)), "name", of: object)
    for text in ["[1e15,1e15]", "\"xxxxxxxxxxxxxxxxxxx\""] {
      let error = #expect(throws: GrootError.self) {
        try context.importText("[{\"id\":1},{\"id\":2,\"any\":\(text)}]", into: "Node")
      }
      #expect(error?.status == .limitExceeded)
      #expect(error?.issues.first?.path == "$[1].any")
    }
    #expect(try context.count(FetchRequest("Node")) == 1)
  }

  @Test func aTextOfEightGigabytesIsRefusedUnread() throws {
    let tape = JSONTape()
    var byte: UInt8 = 0
    withUnsafePointer(to: &byte) { start in
      let bytes = UnsafeBufferPointer(start: start, count: 1 << 33)
      let error = #expect(throws: GrootError.self) { try tape.append(copying: bytes) }
      #expect(error?.status == .limitExceeded)
    }
    #expect(tape.count == 0)
  }

  @Test func rowsAndLinks() throws {
    let context = try context()
    context.graph.tables[0].maximumCount = 3
    let error = #expect(throws: GrootError.self) {
      try context.importText("[{\"id\":1},{\"id\":2},{\"id\":3},{\"id\":4}]", into: "Node")
    }
    #expect(error?.status == .limitExceeded)
    #expect(try context.count(FetchRequest("Node")) == 0)
    try context.importText("[{\"id\":1},{\"id\":2},{\"id\":3}]", into: "Node")
    for link in 0..<context.graph.linkCount { context.graph.linkTables[link].maximumCount = 2 }
    let links = #expect(throws: GrootError.self) {
      try context.importText("{\"id\":1,\"friends\":[1,2,3]}", into: "Node")
    }
    #expect(links?.status == .limitExceeded)
    #expect(context.graph.brokenInvariants().isEmpty)
  }

  @Test func tokens() throws {
    let tape = JSONTape()
    tape.ceiling = 300
    tape.reset()
    let value = JSONValue.array((0..<400).map { .integer($0) })
    let error = #expect(throws: GrootError.self) { try value.append(to: tape) }
    #expect(error?.status == .limitExceeded)
    #expect(tape.count == 0)
    #expect(try JSONValue.array([1, 2]).append(to: tape) == 0)
  }

  /// Each result is as wide as it may be: the count of all that they add ends it.
  @Test(arguments: [ImportOptions.ErrorMode.abort, .collect, .skip])
  func resultsAreLimitedInNumber(_ mode: ImportOptions.ErrorMode) throws {
    let wide = JSONValue.array((0..<2000).map { _ in [:] })
    let context = try context { $0["id"] == 1 ? nil : ["children": wide] }
    var options = ImportOptions()
    options.errorMode = mode
    let text = "[{\"id\":1},{\"id\":2},{\"id\":1}]"
    if mode == .skip {
      let result = try context.importText(text, into: "Node", options: options)
      #expect(result.report.skipped == 1)
      #expect(result.report.issues.map(\.status) == [.limitExceeded])
      #expect(result.report.issues.first?.path.hasPrefix("$[1].children[") == true)
      #expect(try context.count(FetchRequest("Node")) == 1)
    } else {
      let error = #expect(throws: GrootError.self) {
        try context.importText(text, into: "Node", options: options)
      }
      #expect(error?.issues.map(\.status) == [.limitExceeded])
      #expect(try context.count(FetchRequest("Node")) == 0)
    }
    #expect(context.graph.brokenInvariants().isEmpty)
  }

  /// What holds no more than each object with all inside of it is within the limits, however deep.
  @Test func deepRecordsMayBeCopied() throws {
    let context = try context { object in
      var copy = object
      if case .object(var members) = object {
        members["name"] = "copy"
        copy = .object(members)
      }
      return copy
    }
    let depth = 300
    let open = String(repeating: "{\"children\":[", count: depth)
    let text = open + "{}" + String(repeating: "]}", count: depth)
    try context.importText(text, into: "Node")
    #expect(try context.count(FetchRequest("Node")) == depth + 1)
  }
}
