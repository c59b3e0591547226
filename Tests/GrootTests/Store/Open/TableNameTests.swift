import GrootSQL
import Testing

@testable import Groot
@testable import GrootSQLite

/// Names of models that SQL, or SQLite, could take for something else.
struct TableNameTests {
  private static let attribute: JSONValue = ["type": "string", "optional": true]

  /// What a mark does after a quote: to Swift both are one Character, to SQL they are two.
  private static let mark = "\u{301}"

  private func mapping(_ document: JSONValue) throws -> Mapping {
    try Mapping(model: ManagedObjectModel(document: document))
  }

  /// Fills a store of a model, and compares what it gives later.
  ///
  /// - Returns: What is in the file, by its names.
  @discardableResult
  private func expectRoundTrip(_ document: JSONValue) throws -> [String] {
    let file = try StoreFile()
    let mapping = try mapping(document)
    let context = try ManagedObjectContext(mapping: mapping, storePath: file.path)
    let entities = mapping.model.entities.filter { !$0.isAbstract }
    for entity in entities {
      for number in 1...2 { try fill(context.insert(entity.name), entity.name, number) }
    }
    try link(context)
    try context.save()
    let again = try ManagedObjectContext(mapping: mapping, storePath: file.path)
    #expect(try content(again) == content(context))
    #expect(again.brokenInvariants() == [])
    for entity in entities {
      // A fetch that leaves out what is not saved, and identities that are looked up.
      let first = try #require(again.fetch(FetchRequest(entity.name)).first)
      for name in attributes(entity.name, again.model) {
        try first.set(name, to: .string("changed " + entity.name))
        let unchanged = try again.fetch(
          FetchRequest(entity.name, where: ["." + name: .string("\(entity.name) 2")]))
        #expect(unchanged.count == 1, "\(entity.name).\(name)")
      }
    }
    try again.save()
    let report = try again.importJSON(
      .value([["id": "imported"], ["id": "imported"]]), into: entities[0].name
    ).report
    #expect(report.inserted == (again.model.entities[0].userInfo.isEmpty ? 2 : 1))
    try again.save()
    let database = try file.database()
    #expect(try database.integer("SELECT count(*) FROM pragma_integrity_check") == 1)
    var names: [String] = []
    let statement = try SQLiteStatement(
      "SELECT name FROM sqlite_master ORDER BY 1", database: database)
    while try statement.step() { names.append(statement.string(0)) }
    try expectViews(mapping, file)
    return names
  }

  /// Expects a view of each entity that can be read, and makes none of them twice.
  private func expectViews(_ mapping: Mapping, _ file: StoreFile) throws {
    var options = SQLiteStoreOptions()
    options.makesViews = true
    let context = try ManagedObjectContext(
      mapping: mapping, storePath: file.path, options: options)
    let database = try file.database()
    let schema = StoreSchema(mapping)
    let views = schema.views
    for (view, name) in zip(views, SQLLayout(schema, dialect: SQLiteDialect()).names(of: views)) {
      let count = try file.rowCount("SELECT * FROM \(quoted(name))")
      #expect(try count == context.count(FetchRequest(view.entity)), "\(name)")
    }
    let version = try database.integer("PRAGMA schema_version")
    _ = try ManagedObjectContext(mapping: mapping, storePath: file.path, options: options)
    #expect(try database.integer("PRAGMA schema_version") == version)
  }

  private func fill(_ object: ManagedObject, _ entity: String, _ number: Int) throws {
    for name in attributes(entity, object.context.model) {
      try object.set(name, to: .string("\(entity) \(number)"))
    }
  }

  /// An entity and those that it inherits from.
  private func line(_ entity: String, _ model: ManagedObjectModel) -> [EntityDescription] {
    guard let found = model.entities.first(where: { $0.name == entity }) else { return [] }
    return [found] + (found.parent.map { line($0, model) } ?? [])
  }

  private func attributes(_ entity: String, _ model: ManagedObjectModel) -> [String] {
    line(entity, model).flatMap { $0.attributes.map(\.name) }
  }

  private func relationships(
    _ entity: String, _ model: ManagedObjectModel
  ) -> [RelationshipDescription] {
    line(entity, model).flatMap(\.relationships)
  }

  private func link(_ context: ManagedObjectContext) throws {
    for entity in context.model.entities where !entity.isAbstract {
      for object in try context.fetch(FetchRequest(entity.name)) {
        for relationship in relationships(entity.name, context.model) {
          let others = try context.fetch(FetchRequest(relationship.destination))
          if relationship.isToMany {
            try object.set(relationship.name, to: others)
          } else if let last = others.last {
            try object.set(relationship.name, to: last)
          }
        }
      }
    }
  }

  /// All values and links; an object is named by its entity and its position among the others.
  private func content(_ context: ManagedObjectContext) throws -> [String] {
    let entities = context.model.entities.filter { !$0.isAbstract }
    var labels: [ObjectID: String] = [:]
    for entity in entities {
      let own = try context.fetch(FetchRequest(entity.name)).filter {
        try $0.entityName() == entity.name
      }
      for (number, object) in own.enumerated() { labels[object.id] = "\(entity.name) \(number)" }
    }
    var lines: [String] = []
    for entity in entities {
      for object in try context.fetch(FetchRequest(entity.name)) {
        for name in attributes(entity.name, context.model) {
          lines.append("\(entity.name).\(name) = \(try object[name])")
        }
        for relationship in relationships(entity.name, context.model) {
          let members =
            try relationship.isToMany
            ? object.members(relationship.name)
            : [object.target(relationship.name)].compactMap { $0 }
          lines.append(
            "\(entity.name).\(relationship.name) = \(members.map { labels[$0.id] ?? "?" })")
        }
      }
    }
    return lines
  }

  @Test func aNameInAModelNeverRunsAsSQL() throws {
    let quote = "\"" + Self.mark
    let attack = "x\(quote) INTEGER); CREATE TABLE stolen (y INTEGER"
    let names = try expectRoundTrip([
      "entities": ["Hero": ["attributes": [attack: Self.attribute]]]
    ])
    #expect(!names.contains("stolen"))
    let text = "x'" + Self.mark + " OR 1); CREATE TABLE stolen (y INTEGER); --"
    #expect(
      try !expectRoundTrip([
        "entities": [
          "Hero": [
            "attributes": ["id": ["type": "string", "userInfo": ["JSONKeyPath": "id"]]],
            "userInfo": ["identityAttributes": "id"],
          ],
          text: [
            "parent": "Hero",
            "attributes": [
              "code": ["type": "string", "optional": true, "userInfo": ["JSONKeyPath": "code"]]
            ],
            "userInfo": ["identityAttributes": "code"],
          ],
        ]
      ]).contains("stolen"))
  }

  @Test(arguments: [
    "\"", "'", "`", "]", "\\", "%", "?", "\r\n", "\n", "--", "/*", ".", "_", "sqlite_",
    "\0",
  ])
  func aNameMayContainSignsThatMeanSomethingInSQL(sign: String) throws {
    for sign in [sign, sign + Self.mark, sign + "\u{200D}"] {
      let other = "B" + sign + "b"
      try expectRoundTrip([
        "entities": [
          sign + "A": [
            "userInfo": ["identityAttributes": "id"],
            "attributes": [
              "id": ["type": "string", "optional": true, "userInfo": ["JSONKeyPath": "id"]],
              sign + "a": Self.attribute, "a" + sign + "b": Self.attribute,
            ],
            "relationships": [
              "one" + sign: [
                "destination": .string(other), "optional": true, "inverse": .string("many" + sign),
              ],
              sign + "all": ["destination": .string(other), "toMany": true, "optional": true],
            ],
          ],
          other: [
            "relationships": [
              "many" + sign: [
                "destination": .string(sign + "A"), "toMany": true, "optional": true,
                "inverse": .string("one" + sign),
              ]
            ]
          ],
          "C" + sign: ["parent": .string(sign + "A"), "attributes": ["c" + sign: Self.attribute]],
        ]
      ])
    }
  }

  @Test func namesThatSQLTakesForEqualDoNotClash() throws {
    let attributes: JSONValue = [
      "name": ["type": "string", "optional": true], "Name": ["type": "string", "optional": true],
      "_id": ["type": "string", "optional": true], "a\"b": ["type": "double", "optional": true],
      "select": ["type": "boolean", "optional": true],
    ]
    let document: JSONValue = [
      "entities": [
        "Order": ["attributes": attributes], "order": ["attributes": attributes],
        "sqlite_x": ["attributes": attributes],
        "A": [
          "parent": "Order", "attributes": ["title": ["type": "string", "optional": true]],
        ],
        "B": [
          "parent": "Order", "attributes": ["title": ["type": "integer64", "optional": true]],
        ],
      ]
    ]
    let mapping = try mapping(document)
    let file = try StoreFile()
    let (context, _) = try Heroes.open(file, mapping)
    for entity in ["Order", "order", "sqlite_x", "A", "B"] {
      let object = try context.insert(entity)
      for name in ["name", "Name", "_id"] { try object.set(name, to: .string(entity + name)) }
      try object.set("a\"b", to: .real(-0.0))
      try object.set("select", to: true)
      if entity == "A" { try object.set("title", to: "t\0t") }
      if entity == "B" { try object.set("title", to: 7) }
    }
    try context.save()
    let (again, _) = try Heroes.open(file, mapping)
    for entity in ["Order", "order", "sqlite_x"] {
      let values = try [context, again].map { context in
        try context.fetch(FetchRequest(entity)).map { object in
          let names = ["name", "Name", "_id", "a\"b", "select"]
          let own = try ["A", "B"].contains(object.entityName()) ? [object["title"]] : []
          return try names.map { try object[$0] } + own
        }
      }
      #expect(values[0] == values[1] && !values[0].isEmpty)
    }
  }

  @Test func namesOfTablesIndexesAndJoinsDoNotClash() throws {
    func toOne(_ destination: String) -> JSONValue {
      ["destination": .string(destination), "optional": true]
    }
    func toMany(_ destination: String) -> JSONValue {
      ["destination": .string(destination), "optional": true, "toMany": true]
    }
    let id: JSONValue = ["type": "string", "userInfo": ["JSONKeyPath": "id"]]
    try expectRoundTrip([
      "entities": [
        "A": [
          "userInfo": ["identityAttributes": "id"],
          "attributes": ["id": id],
          "relationships": [
            "b_c": toOne("A"), "identity_1": toOne("A_b"), "B_C": toOne("A"),
            "d_e": toMany("A_b"), "D_E": toMany("A_b"), "target": toMany("A"),
            "b_c_order": toMany("A"),
          ],
        ],
        "A_b": [
          "userInfo": ["identityAttributes": "id"],
          "attributes": ["id": id, "rowid": Self.attribute, "_id": Self.attribute],
          "relationships": ["c": toOne("A"), "c_order": toMany("A")],
        ],
        "A_d": ["relationships": ["e": toMany("A"), "E": toMany("A"), "e_target": toOne("A")]],
        "a_d": ["relationships": ["e": toMany("A"), "E": toMany("A")]],
        "A_d_e": ["relationships": ["target": toOne("A"), "Target": toOne("A")]],
        "A_D_E": [
          "attributes": ["x": Self.attribute, "x\0y": Self.attribute, "x_y": Self.attribute]
        ],
        "A_identity": ["relationships": ["1": toOne("A")]],
      ]
    ])
  }

  /// A program that reads the file knows it by these names.
  @Test func aTableWhoseNameIsTakenGetsANumber() throws {
    let toMany: JSONValue = ["destination": "B", "optional": true, "toMany": true]
    let names = try expectRoundTrip([
      "entities": [
        "A": ["relationships": ["D": toMany, "d": toMany, "E": toMany, "e": toMany]],
        "A_e_2": ["attributes": ["x": Self.attribute]], "B": ["attributes": ["x": Self.attribute]],
      ]
    ])
    #expect(Set(["A", "B", "A_D", "A_d_2", "A_E", "A_e_2", "A_e_3"]).isSubset(of: names))
  }

  @Test(arguments: [
    "groot_rows", "_groot_rows", "_groot", "wanted", "_wanted", "found", "json_each", "t1", "t2",
    "source", "target", "sqlite_sequence", "SQLITE_master", "_old_table_0", "_old_join_0",
    "pragma_table_info", "_Hero_identity_1", "Hero_powers", "_Hero_powers_target", "_Hero_mentor",
    "select", "rowid", "_id", "_entity",
  ])
  func anEntityMayHaveANameThatSQLiteOrTheStoreUses(name: String) throws {
    let id: JSONValue = [
      "type": "string", "optional": true, "userInfo": ["JSONKeyPath": "id"],
    ]
    for first in ["Hero", name] {
      let second = first == name ? "Hero" : name
      let document: JSONValue = [
        "entities": [
          first: [
            "userInfo": ["identityAttributes": "id"],
            "attributes": ["id": id, name: Self.attribute],
            "relationships": [
              "mentor": ["destination": .string(first), "optional": true, "inverse": "pupils"],
              "pupils": [
                "destination": .string(first), "toMany": true, "optional": true,
                "inverse": "mentor",
              ],
              "powers": ["destination": .string(second), "toMany": true, "optional": true],
            ],
          ],
          second: [
            "userInfo": ["identityAttributes": "id"], "attributes": ["id": id],
          ],
        ]
      ]
      try expectRoundTrip(document)
      try expectMigration(document, ofAttribute: "added", in: first)
    }
  }

  /// A store of a model becomes one with an attribute more.
  private func expectMigration(
    _ document: JSONValue, ofAttribute name: String, in entity: String
  ) throws {
    let file = try StoreFile()
    let context = try ManagedObjectContext(mapping: mapping(document), storePath: file.path)
    try fill(context.insert(entity), entity, 1)
    try context.save()
    let patch: JSONValue = ["entities": [entity: ["attributes": [name: Self.attribute]]]]
    let after = try ManagedObjectContext(
      mapping: mapping(CaseComparison.patched(document, patch)), storePath: file.path)
    let object = try #require(after.fetch(FetchRequest(entity)).first)
    #expect(try object["id"] == .string("\(entity) 1"))
    #expect(try object[name] == .null)
  }

  @Test func anEntityWithMoreColumnsThanATableTakesIsRefused() throws {
    func document(_ count: Int) -> JSONValue {
      var attributes = JSONObject()
      for number in 0..<count { attributes["a\(number)"] = Self.attribute }
      return ["entities": ["Hero": ["attributes": .object(attributes)]]]
    }
    let file = try StoreFile()
    do {
      _ = try ManagedObjectContext(mapping: mapping(document(2001)), storePath: file.path)
      Issue.record("this did not fail")
    } catch let error as GrootError {
      #expect(error.status == .limitExceeded, "\(error)")
      #expect(error.description.contains("'Hero'") && error.description.contains("2004"))
    }
    #expect(!file.exists)
    let mapping = try mapping(document(1997))
    let context = try ManagedObjectContext(mapping: mapping, storePath: file.path)
    try context.insert("Hero").set("a1996", to: "last")
    try context.save()
    let again = try ManagedObjectContext(mapping: mapping, storePath: file.path)
    #expect(try again.fetch(FetchRequest("Hero")).first?["a1996"] == "last")
  }

  /// A NUL ends SQL, and ends of lines tell the parts of a store's description apart.
  @Test func anEntityNameMayContainNulsLineEndsAndBackslashes() throws {
    let names = ["A\0B", "line\none", "back\\slash", "back\\none"]
    func document(_ count: Int) -> JSONValue {
      var entities: JSONObject = ["Base": ["attributes": ["id": Self.attribute]]]
      for name in names.prefix(count) {
        entities[name] = ["parent": "Base", "attributes": ["own": Self.attribute]]
      }
      return ["entities": .object(entities)]
    }
    let file = try StoreFile()
    let context = try ManagedObjectContext(mapping: mapping(document(4)), storePath: file.path)
    for name in names { try context.insert(name).set("own", to: .string(name)) }
    try context.save()
    let again = try ManagedObjectContext(mapping: mapping(document(4)), storePath: file.path)
    for name in names {
      let found = try again.fetch(FetchRequest(name))
      #expect(try found.map { try $0["own"] } == [.string(name)])
      #expect(try found.first?.entityName() == name)
    }
    let error = #expect(throws: GrootError.self) {
      try ManagedObjectContext(
        mapping: mapping(document(3)), storePath: file.path,
        options: SQLiteStoreOptions(["migrate": false]))
    }
    #expect(error?.status == .storeModel)
    #expect(error?.description.contains("back\\none") == true, "\(String(describing: error))")
  }
}
