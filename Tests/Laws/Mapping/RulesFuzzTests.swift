import Testing

import Groot

/// Random batches over rules of all kinds, sound and damaged.
@Suite struct RulesFuzzTests {
  static let document = """
    {"entities": {
      "Node": {"attributes": {
          "id": {"type": "integer32", "optional": true},
          "code": {"type": "string", "optional": true},
          "size": {"type": "double", "optional": true}},
        "relationships": {
          "next": {"destination": "Node", "inverse": "previous", "optional": true},
          "previous": {"destination": "Node", "inverse": "next", "optional": true},
          "parent": {"destination": "Node", "inverse": "parts", "optional": true},
          "parts": {"destination": "Node", "toMany": true, "ordered": true, "inverse": "parent",
            "optional": true},
          "friends": {"destination": "Node", "toMany": true, "inverse": "friends",
            "optional": true},
          "tags": {"destination": "Tag", "toMany": true, "optional": true},
          "owner": {"destination": "Tag", "optional": true}}},
      "Tag": {"attributes": {
        "name": {"type": "string", "optional": true},
        "rank": {"type": "integer16", "optional": true}}},
      "Star": {"parent": "Tag"}}}
    """

  /// Rules whose objects all have keys.
  static let keyed: [JSONValue] = [
    [
      "nodes": [
        "Node.id": [
          "id": "id", "code": "code", "size": "size", "next": "next.id", "up": "parent.code",
          "parts": "parts.code", "friends": "friends.id", "tags": "tags.name",
          "owner": "owner.rank",
        ]
      ], "tags": ["Tag.name": ["name": "name", "rank": "rank"]],
    ],
    [
      "nodes": [
        "Node.code": [
          "code": "code", "id": "id", "a.size": "size",
          "parts": ["parts.id": ["id": "id", "code": "code", "tags": "tags.rank"]],
          "up": ["parent.code": ["code": "code", "friends": "friends.code"]],
          "tags": ["tags.name": ["0": "name", "1": "rank"]], "next": "next.id",
        ]
      ], "tags": ["Star.name": ["name": "name", "rank": "rank"]],
    ],
  ]

  /// Rules of which some make a new object each time.
  static let unkeyed: JSONValue = [
    "nodes": [
      "Node.id": [
        "id": "id", "code": "code", "tags": ["tags": ["name": "name", "rank": "rank"]],
        "owner": ["owner": ["name": "name"]], "up": "parent.code", "parts": "parts.code",
      ]
    ], "tags": ["Tag": ["name": "name", "rank": "rank"]],
  ]

  static let names = (1...8).map { JSONValue.string("n\($0)") }

  static func value(_ random: inout SeededGenerator, isSound: Bool) -> JSONValue {
    switch Int.random(in: 0..<(isSound ? 6 : 9), using: &random) {
    case 0: return .null
    case 1, 2: return .integer(Int64.random(in: 1...8, using: &random))
    case 3: return .string("\(Int.random(in: 1...8, using: &random))")
    case 4, 5: return names.randomElement(using: &random) ?? .null
    case 6: return .real(1.5)
    case 7: return [3, [], "n1"]
    default: return ["id": 4, "code": "n2", "name": "n3", "rank": 70_000]
    }
  }

  static func record(
    _ random: inout SeededGenerator, isSound: Bool, depth: Int = 2
  ) -> JSONValue {
    var object = JSONObject()
    for key in ["id", "code", "name", "rank", "size", "a", "next", "up", "owner"]
    where Int.random(in: 0..<3, using: &random) > 0 {
      object[key] = value(&random, isSound: isSound)
    }
    object["id"] = .integer(Int64.random(in: 1...8, using: &random))
    if depth > 0 {
      for key in ["parts", "friends", "tags", "up", "owner"] where Bool.random(using: &random) {
        let list = (0..<Int.random(in: 0...3, using: &random)).map { _ in
          Bool.random(using: &random)
            ? record(&random, isSound: isSound, depth: depth - 1)
            : value(&random, isSound: isSound)
        }
        object[key] = Bool.random(using: &random) ? .array(list) : list.first ?? .null
      }
    }
    return .object(object)
  }

  static func batch(_ random: inout SeededGenerator, isSound: Bool) -> JSONValue {
    func list() -> JSONValue {
      .array(
        (0..<Int.random(in: 0...5, using: &random)).map { _ in
          isSound || Int.random(in: 0..<8, using: &random) > 0
            ? record(&random, isSound: isSound) : value(&random, isSound: false)
        })
    }
    return Bool.random(using: &random)
      ? ["nodes": list(), "tags": list()] : ["tags": list(), "other": list(), "nodes": list()]
  }

  static func count(_ context: ManagedObjectContext) throws -> Int {
    try context.count(FetchRequest("Node")) + context.count(FetchRequest("Tag"))
  }

  /// Whatever comes: what fails changes nothing, what succeeds counts right and leaves a whole graph.
  @Test(arguments: 0..<20)
  func damagedBatchesLeaveTheGraphWhole(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(5_000 + seed))
    let model = try ManagedObjectModel(document: Self.document)
    let mappings = try (Self.keyed + [Self.unkeyed]).map {
      try Mapping(model: model, dialect: .kvc, rules: $0)
    }
    let context = ManagedObjectContext(mapping: mappings[seed % mappings.count])
    for round in 0..<40 {
      var options = ImportOptions()
      options.errorMode = [.abort, .collect, .skip][round % 3]
      options.mapping = mappings.randomElement(using: &random)
      options.createsObjects = Int.random(in: 0..<4, using: &random) > 0
      options.usesScanner = Bool.random(using: &random)
      options.listsAccess = Bool.random(using: &random)
      options.listsChanges = Bool.random(using: &random)
      if round % 5 == 0 { options.policies = ["invalid": "fail"] }
      if round % 7 == 0 { options.policies = ["invalid": "clear"] }
      let batch = Self.batch(&random, isSound: round % 2 == 0)
      let before = (dump(context), try Self.count(context))
      options.isDryRun = true
      let planned = try? context.importJSON(.value(batch), into: nil, options: options).report
      #expect(dump(context) == before.0)
      options.isDryRun = false
      do {
        let report = try context.importJSON("\(batch)", into: nil, options: options).report
        #expect(try Self.count(context) == before.1 + report.inserted - report.deleted)
        #expect(report.inserted == planned?.inserted && report.updated == planned?.updated)
        #expect(report.issues.map(\.path) == planned?.issues.map(\.path))
        #expect(
          !options.listsChanges
            || report.changes.count { $0.kind == .inserted } == report.inserted
        )
      } catch is GrootError {
        #expect(planned == nil)
        #expect(dump(context) == before.0)
      }
      #expect(context.brokenInvariants() == [], "round \(round)")
      // Other mappings than the context's find objects by another identity.
      if round % 9 == 0 { try context.saveOrRollBack() }
      if round % 13 == 0 { try context.rollback() }
    }
  }

  /// Where all objects have keys, the same batch makes nothing the second time.
  ///
  /// (Where two keys can find an object, and records contradict each other, it may.)
  @Test(arguments: 0..<20)
  func theSameBatchMakesNothingNew(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(6_000 + seed))
    let model = try ManagedObjectModel(document: Self.document)
    let mapping = try Mapping(model: model, dialect: .kvc, rules: Self.keyed[0])
    let context = ManagedObjectContext(mapping: mapping)
    for _ in 0..<8 {
      let batch = Self.batch(&random, isSound: true)
      var options = ImportOptions()
      options.createsObjects = false
      #expect(
        try context.importJSON(.value(batch), into: nil, options: options).report.inserted == 0)
      try context.importJSON(.value(batch), into: nil)
      #expect(try context.importJSON(.value(batch), into: nil).report.inserted == 0, "\(batch)")
      #expect(context.brokenInvariants() == [])
    }
  }
}
