import Testing

import Groot

/// How deep JSON nests: in attributes as deep as an import reads an export, elsewhere as deep as a
/// program makes it.
struct NestingTests {
  private static let limit = Value.maximumLevels

  private static func array(levels: Int) -> JSONValue {
    (1..<levels).reduce(.integer(1)) { value, _ in .array([value]) }
  }

  private static func object(levels: Int) -> JSONValue {
    (1..<levels).reduce(.integer(1)) { value, _ in ["a": value] }
  }

  private static let forms: [@Sendable (Int) -> JSONValue] = [
    { array(levels: $0) }, { object(levels: $0) },
    { levels in .array([JSONValue](repeating: 1, count: 3) + [object(levels: levels - 1)]) },
    { levels in ["k[\"": "]]]]", "b": array(levels: levels - 1)] },
    { levels in levels % 2 == 0 ? array(levels: levels - 1).wrapped : object(levels: levels) },
  ]

  private static func mapping(
    _ registry: TransformerRegistry = TransformerRegistry(),
    _ change: (inout JSONObject) -> Void = { _ in }
  ) throws -> Mapping {
    var attributes: JSONObject = [
      "id": ["type": "integer64", "userInfo": ["JSONKeyPath": "id"]],
      "json": ["type": "transformable", "optional": true, "userInfo": ["JSONKeyPath": "json"]],
      "bytes": ["type": "binary", "optional": true],
    ]
    change(&attributes)
    return try Mapping(
      model: ManagedObjectModel(document: [
        "entities": [
          "Node": [
            "userInfo": ["identityAttributes": "id"], "attributes": .object(attributes),
            "relationships": [
              "next": [
                "destination": "Node", "optional": true, "userInfo": ["JSONKeyPath": "next"],
              ]
            ],
          ]
        ]
      ]), registry: registry)
  }

  private static func text(_ json: JSONValue) -> String { #"[{"id":1,"json":\#(json)}]"# }

  // MARK: Attributes

  @Test(arguments: forms.indices)
  func aValueIsSavedReadAndImportedAgain(form: Int) throws {
    let json = Self.forms[form](Self.limit)
    let file = try StoreFile()
    let mapping = try Self.mapping()
    let context = try ManagedObjectContext(mapping: mapping, storePath: file.path)
    let node = try context.insert("Node")
    try node.set("id", to: 1)
    try node.set("json", to: .json(json))
    try context.save()
    let later = try ManagedObjectContext(mapping: mapping, storePath: file.path)
    let read = try #require(try later.fetch(FetchRequest("Node")).first)
    #expect(try read["json"] == .json(json))
    let text = try later.exportText([read])
    let third = ManagedObjectContext(mapping: mapping)
    try third.importJSON(.text(text), into: "Node")
    try third.importJSON(.value(JSONValue(parsing: text)), into: "Node")
    #expect(try third.exportText(third.fetch(FetchRequest("Node"))) == text)
  }

  @Test(arguments: forms.indices)
  func aValueWithMoreLevelsIsRefused(form: Int) throws {
    let json = Self.forms[form](Self.limit + 1)
    let context = ManagedObjectContext(mapping: try Self.mapping())
    let node = try context.insert("Node")
    try node.set("id", to: 1)
    try context.save()
    expectFailure(.limitExceeded, "Node.json") { try node.set("json", to: .json(json)) }
    expectFailure(.limitExceeded) {
      try context.importJSON(.text(Self.text(json)), into: "Node")
    }
    expectFailure(.limitExceeded) {
      try context.importJSON(.value([["id": 1, "json": json]]), into: "Node")
    }
    expectFailure(.limitExceeded) { try context.fill(node.id, from: .value(["json": json])) }
    #expect(try node["json"].isNull)
    #expect(try context.changes == ChangeCounts())
  }

  @Test func aDefaultWithMoreLevelsIsRefused() throws {
    func mapping(_ levels: Int) throws -> Mapping {
      try Self.mapping {
        $0["json"] = ["type": "transformable", "default": Self.array(levels: levels)]
      }
    }
    expectFailure(.limitExceeded, "Node.attributes.json") { _ = try mapping(Self.limit + 1) }
    let context = ManagedObjectContext(mapping: try mapping(Self.limit))
    #expect(try context.insert("Node")["json"] == .json(Self.array(levels: Self.limit)))
  }

  @Test func resultsOfTransformersHaveTheSameLimit() throws {
    for excess in 0...1 {
      var registry = TransformerRegistry()
      registry.setTransformer(
        "T", reverse: { $0 }, forward: { _ in Self.array(levels: Self.limit + excess) })
      let mapping = try Self.mapping(registry) {
        $0["json"] = [
          "type": "transformable", "optional": true,
          "userInfo": ["JSONKeyPath": "json", "JSONTransformerName": "T"],
        ]
      }
      let context = ManagedObjectContext(mapping: mapping)
      if excess == 0 {
        try context.importJSON(#"[{"id": 1, "json": 1}]"#, into: "Node")
      } else {
        expectFailure(.limitExceeded, "Node.json") {
          try context.importJSON(#"[{"id": 1, "json": 1}]"#, into: "Node")
        }
      }
    }
  }

  @Test func unmappedKeysHaveTheSameLimit() throws {
    let mapping = try Self.mapping {
      $0["json"] = [
        "type": "transformable", "optional": true, "userInfo": ["JSONKeyPath": "@rest"],
      ]
    }
    func text(_ levels: Int) -> String { #"{"id":1,"x":\#(Self.array(levels: levels))}"# }
    for levels in [Self.limit - 1, Self.limit] {
      let context = ManagedObjectContext(mapping: mapping)
      func load() throws { try context.importJSON(.text(text(levels)), into: "Node") }
      if levels < Self.limit { try load() } else { expectFailure(.limitExceeded) { try load() } }
      try context.importJSON(#"{"id": 1, "y": 1}"#, into: "Node")
      if levels < Self.limit { try load() } else { expectFailure(.limitExceeded) { try load() } }
    }
  }

  // MARK: Exports

  @Test(arguments: [1, 2, 3, 7])
  func anExportThatNoImportReadsIsRefused(distance: Int) throws {
    let context = ManagedObjectContext(mapping: try Self.mapping())
    var (first, last): (ManagedObject?, ManagedObject?)
    for id in 0..<distance {
      let node = try context.insert("Node")
      try node.set("id", to: .integer(Int64(id)))
      try last?.set("next", to: node)
      (first, last) = (first ?? node, node)
    }
    let (root, deep) = (try #require(first), try #require(last))
    // Each object around is a level, and the list another.
    let room = 2048 - distance
    try deep.set("json", to: .json(Self.array(levels: min(room, Self.limit))))
    let text = try context.exportText(root)
    let copy = ManagedObjectContext(mapping: try Self.mapping())
    try copy.importJSON(.text(text), into: "Node")
    #expect(try copy.fetch(FetchRequest("Node")).count == distance)
    guard room < Self.limit else { return }
    try deep.set("json", to: .json(Self.array(levels: room + 1)))
    expectFailure(.limitExceeded, "Node.json") { _ = try context.exportText(root) }
    expectFailure(.limitExceeded) { _ = try context.exportText([root]) }
    var options = ExportOptions()
    options.depth = 1
    #expect(try context.exportText(root, options: options).contains(#""next":"#))
  }

  // MARK: Values of a program

  /// More than a stack has room for, should each take a part of it.
  private static let manyLevels = 300_000

  @Test(arguments: [true, false])
  func aDeepValueIsReleasedComparedHashedAndWritten(isArray: Bool) throws {
    let make = isArray ? Self.array : Self.object
    let (one, other) = (make(Self.manyLevels), make(Self.manyLevels))
    #expect(one == other)
    #expect(one != make(Self.manyLevels - 1))
    #expect(one.hashValue == other.hashValue)
    #expect(one.description.utf8.count == (Self.manyLevels - 1) * (isArray ? 2 : 6) + 1)
    #expect(Set([one, other]).count == 1)
    #expect(Value.json(one) == Value.json(other))
  }

  @Test func aPartThatIsHeldOutlivesTheRest() throws {
    var parts: [JSONValue] = []
    var value: JSONValue = "core"
    for level in 0..<1000 {
      value = level % 2 == 0 ? [value, 1] : ["a": value, "b": 2]
      if level % 100 == 0 { parts.append(value) }
    }
    value = .null
    #expect(parts.first == ["core", 1])
    #expect(parts.last?[0]?["a"]?[0]?["b"] == 2)
  }

  @Test func aCopyKeepsItsMembers() {
    var array: JSONArray = [1, ["a": 2]]
    let copy = array
    array.append(3)
    array[1] = 4
    array.removeFirst()
    #expect(array == [4, 3] && copy == [1, ["a": 2]])
    var object: JSONObject = ["a": [1]]
    let former = object
    object["a"] = nil
    object["b"] = 1
    #expect(object == ["b": 1] && former == ["a": [1]])
  }
}

extension JSONValue {
  fileprivate var wrapped: JSONValue { ["w": self, "n": .null] }
}
