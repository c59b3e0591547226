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
    registry.setDictionaryTransformer("D", transform: transform)
    return ManagedObjectContext(
      mapping: try Mapping(
        model: ManagedObjectModel(document: Self.model), registry: registry))
  }

  @Test func aTextLongerThanItsLengthCanTellIsRefused() throws {
    let context = try context()
    context.graph.maximumTextLength = 20
    let object = try context.insert("Node").id
    for (name, value) in [
      ("name", Value.string(String(repeating: "x", count: 21))),
      ("data", .binary([UInt8](repeating: 0, count: 21))),
      ("any", .json(.string(String(repeating: "x", count: 19)))),
    ] {
      let error = #expect(throws: GrootError.self) {
        try context.setValue(value, for: .name(name), of: object)
      }
      #expect(error?.status == .limitExceeded)
      #expect(error?.issues.first?.property == name)
      #expect(try context.value(.name(name), of: object) == .null)
    }
    try context.setValue(.string(String(repeating: "x", count: 20)), for: "name", of: object)
    for text in ["[1e15,1e15]", "\"xxxxxxxxxxxxxxxxxxx\""] {
      let error = #expect(throws: GrootError.self) {
        try context.importJSON("[{\"id\":1},{\"id\":2,\"any\":\(text)}]", into: "Node")
      }
      #expect(error?.status == .limitExceeded)
      #expect(error?.issues.first?.path == "$[1].any")
    }
    #expect(try context.count(FetchRequest("Node")) == 1)
  }

  @Test func unmappedKeysMayGrowUpToTheLimit() throws {
    let document: JSONValue = [
      "entities": [
        "Node": [
          "userInfo": ["identityAttributes": "id"],
          "attributes": [
            "id": ["type": "integer64", "userInfo": ["JSONKeyPath": "id"]],
            "rest": [
              "type": "transformable", "optional": true, "userInfo": ["JSONKeyPath": "@rest"],
            ],
          ],
        ]
      ]
    ]
    let context = ManagedObjectContext(
      mapping: try Mapping(model: ManagedObjectModel(document: document)))
    context.graph.maximumTextLength = 20
    try context.importJSON("[{\"id\":1,\"a\":1}]", into: "Node")
    // {"a":1,"b":"123456"} has 20 bytes.
    try context.importJSON("[{\"id\":1,\"b\":\"123456\"}]", into: "Node")
    let error = #expect(throws: GrootError.self) {
      try context.importJSON("[{\"id\":1,\"c\":0}]", into: "Node")
    }
    #expect(error?.status == .limitExceeded)
    let nodes = try context.fetch(FetchRequest("Node"))
    #expect(try context.exportText(nodes) == "[{\"id\":1,\"a\":1,\"b\":\"123456\"}]")
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

  @Test func objectsAndLinksBeyondTheirLimitAreRefused() throws {
    let context = try context()
    context.graph.tables[0].maximumCount = 3
    let error = #expect(throws: GrootError.self) {
      try context.importJSON("[{\"id\":1},{\"id\":2},{\"id\":3},{\"id\":4}]", into: "Node")
    }
    #expect(error?.status == .limitExceeded)
    #expect(try context.count(FetchRequest("Node")) == 0)
    try context.importJSON("[{\"id\":1},{\"id\":2},{\"id\":3}]", into: "Node")
    for link in context.graph.linkIndices { context.graph.linkTables[link].maximumCount = 2 }
    let links = #expect(throws: GrootError.self) {
      try context.importJSON("{\"id\":1,\"friends\":[1,2,3]}", into: "Node")
    }
    #expect(links?.status == .limitExceeded)
    #expect(context.graph.brokenInvariants().isEmpty)
  }

  @Test func aValueOfMoreTokensThanATapeTakesIsRefused() throws {
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
  func theSizeOfAllResultsOfATransformerIsLimited(_ mode: ImportOptions.ErrorMode) throws {
    let wide = JSONValue.array((0..<2000).map { _ in [:] })
    let context = try context { $0["id"] == 1 ? nil : ["children": wide] }
    var options = ImportOptions()
    options.errorMode = mode
    let text = "[{\"id\":1},{\"id\":2},{\"id\":1}]"
    if mode == .skip {
      let result = try context.importJSON(.text(text), into: "Node", options: options)
      #expect(result.report.skipped == 1)
      #expect(result.report.issues.map(\.status) == [.limitExceeded])
      #expect(result.report.issues.first?.path.hasPrefix("$[1].children[") == true)
      #expect(try context.count(FetchRequest("Node")) == 1)
    } else {
      let error = #expect(throws: GrootError.self) {
        try context.importJSON(.text(text), into: "Node", options: options)
      }
      #expect(error?.issues.map(\.status) == [.limitExceeded])
      #expect(try context.count(FetchRequest("Node")) == 0)
    }
    #expect(context.graph.brokenInvariants().isEmpty)
  }

  /// A result that holds each object once, with all inside it, is within the limits, however deep.
  @Test func aTransformerMayCopyADeepRecord() throws {
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
    try context.importJSON(.text(text), into: "Node")
    #expect(try context.count(FetchRequest("Node")) == depth + 1)
  }

  @Test func thePropertiesOfNestedObjectsAreLimitedTogether() throws {
    let context = try context()
    let entity = try context.mapping.plan(of: "Node")
    let record: JSONValue = ["children": [["children": [["children": [["id": 1]]]]]]]
    let elements = ImportElements(ValueElements(whole: record), context.graph.memory)
    let error = #expect(throws: GrootError.self) {
      _ = try ImportTransaction.run(context.work, elements: elements, options: ImportOptions()) {
        $0.importer.matcher.maximumSlots = 20
        try $0.takeRecords(of: entity)
        _ = try $0.importElements()
      }
    }
    #expect(error?.status == .limitExceeded)
    #expect(error?.description.contains("more than 20 properties in all") == true)
    #expect(try context.count(FetchRequest("Node")) == 0)
  }

  /// An identity that an object is a part of, which has an identity of that kind, and so on.
  @Test func anIdentityHasNoMoreThan64LevelsOfOwners() throws {
    let model: JSONValue = [
      "entities": [
        "Folder": [
          "userInfo": ["identityAttributes": "name, parent"],
          "attributes": ["name": ["type": "string", "userInfo": ["JSONKeyPath": "name"]]],
          "relationships": [
            "parent": [
              "destination": "Folder", "optional": true, "inverse": "folders",
              "userInfo": ["JSONKeyPath": "parent"],
            ],
            "folders": [
              "destination": "Folder", "optional": true, "toMany": true, "inverse": "parent",
            ],
          ],
        ]
      ]
    ]
    func text(_ depth: Int) -> String {
      (0..<depth).map { "{\"name\":\"\($0)\",\"parent\":" }.joined() + "{\"name\":\"root\"}"
        + String(repeating: "}", count: depth)
    }
    let mapping = try Mapping(model: ManagedObjectModel(document: model))
    let context = ManagedObjectContext(mapping: mapping)
    try context.importJSON(.text(text(64)), into: "Folder")
    try context.importJSON(.text(text(64)), into: "Folder")
    #expect(try context.count(FetchRequest("Folder")) == 65)
    let error = #expect(throws: GrootError.self) {
      try context.importJSON(.text(text(65)), into: "Folder")
    }
    #expect(error?.status == .limitExceeded)
    #expect(error?.issues.first?.path.hasSuffix(".parent.parent") == true)
    #expect(try context.count(FetchRequest("Folder")) == 65)
    #expect(context.brokenInvariants() == [])
  }

  @Test func notesPastTheListedOnesAreCounted() throws {
    let context = try context()
    var options = ImportOptions()
    options.policies = ["invalid": "clear"]
    let text = "[" + Array(repeating: "{\"name\":5}", count: 10_003).joined(separator: ",") + "]"
    let issues = try context.importJSON(.text(text), into: "Node", options: options).report.issues
    #expect(issues.count == 10_001)
    #expect(issues[9_999].path == "$[9999].name")
    #expect(issues[10_000].message == "3 more issues are not listed")
    #expect(issues[10_000].severity == .warning)
  }

  @Test func anObjectIsFilledFromOneObject() throws {
    let context = try context { object in
      object["wrapped"].map { ["name": $0] }
    }
    let object = try context.insert("Node")
    try context.fill(object.id, from: .value(["wrapped": "inner"]))
    #expect(try object["name"] == "inner")
    for value: JSONValue in [[1], 1, "x", nil] {
      let error = #expect(throws: GrootError.self) {
        try context.fill(object.id, from: .value(value))
      }
      #expect(error?.status == .wrongShape)
    }
    #expect(try object["name"] == "inner")
  }
}
