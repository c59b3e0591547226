import GrootSQL
import Testing

@testable import Groot
@testable import GrootSQLite

/// Views of a store, in which people read its objects.
struct ViewTests {
  private static let document = """
    {"entities": {
      "Hero": {"userInfo": {"identityAttributes": "id"},
        "attributes": {
          "id": {"type": "integer64"},
          "name": {"type": "string", "optional": true},
          "born": {"type": "date", "optional": true},
          "isActive": {"type": "boolean", "optional": true}},
        "relationships": {
          "publisher": {"destination": "Publisher", "optional": true, "inverse": "heroes"},
          "powers": {"destination": "Power", "toMany": true, "optional": true,
            "inverse": "heroes"},
          "identity": {"destination": "Identity", "optional": true, "inverse": "hero"}}},
      "Villain": {"parent": "Hero", "attributes": {"plan": {"type": "string", "optional": true}}},
      "Identity": {"userInfo": {"identityAttributes": "since"},
        "attributes": {"since": {"type": "date"}},
        "relationships": {"hero": {"destination": "Hero", "optional": true,
          "inverse": "identity"}}},
      "Power": {"userInfo": {"identityAttributes": "code"},
        "attributes": {"code": {"type": "integer64"},
          "title": {"type": "string", "optional": true}},
        "relationships": {"heroes": {"destination": "Hero", "toMany": true, "optional": true,
          "inverse": "powers"}}},
      "Publisher": {
        "attributes": {"name": {"type": "string", "optional": true}},
        "relationships": {"heroes": {"destination": "Hero", "toMany": true, "optional": true,
          "ordered": true, "inverse": "publisher"}}}}}
    """

  private func mapping(_ patch: JSONValue = [:]) throws -> Mapping {
    let document = CaseComparison.patched(try JSONValue(parsing: Self.document), patch)
    return try Mapping(model: ManagedObjectModel(document: document), isImplicit: true)
  }

  private func open(
    _ file: StoreFile, _ options: JSONValue = ["views": true], _ patch: JSONValue = [:]
  ) throws -> ManagedObjectContext {
    try ManagedObjectContext(
      mapping: mapping(patch), storePath: file.path, options: SQLiteStoreOptions(options))
  }

  /// The rows of a query, their columns joined by "|".
  private func rows(_ sql: String, _ file: StoreFile) throws -> [String] {
    let columns = sql.split(separator: " FROM ")[0].dropFirst("SELECT ".count)
    let list = columns.split(separator: ",").map { "coalesce(\($0), 'null')" }
    let tail = sql.dropFirst("SELECT ".count + columns.count)
    let statement = try SQLiteStatement(
      "SELECT \(list.joined(separator: " || '|' || "))\(tail)", database: file.database())
    var rows: [String] = []
    while try statement.step() { rows.append(statement.string(0)) }
    return rows
  }

  private func fill(_ context: ManagedObjectContext) throws {
    try context.importJSON(
      #"""
      [{"id": 1, "name": "Batman", "born": "1939-05-01T00:00:00.5Z", "isActive": true,
        "powers": [7, {"code": 9, "title": "Wealth"}], "identity": {"since": "2001-02-03"},
        "publisher": {"name": "DC"}},
       {"id": 2, "born": "1969-12-31T23:59:59Z", "powers": [{"code": 7, "title": "Flight"}, 8]}]
      """#, into: "Hero")
    try context.importJSON(#"{"id": 3, "name": "Bane", "plan": "none"}"#, into: "Villain")
    try context.save()
  }

  @Test func aViewHasReadableDatesAndTheNamesOfLinkedObjects() throws {
    let file = try StoreFile()
    try fill(open(file))
    #expect(
      try rows(
        "SELECT id,name,born,isActive,publisher,powers,identity FROM Hero_view ORDER BY id", file)
        == [
          "1|Batman|1939-05-01T00:00:00.500000Z|1|DC|Flight, Wealth|2001-02-03T00:00:00Z",
          "2|null|1969-12-31T23:59:59Z|null|null|Flight, 8|null",
          "3|Bane|null|null|null|null|null",
        ])
    #expect(
      try rows("SELECT code,title,heroes FROM Power_view ORDER BY code", file)
        == ["7|Flight|Batman, 2", "8|null|2", "9|Wealth|Batman"])
    #expect(
      try rows("SELECT since,hero FROM Identity_view", file) == ["2001-02-03T00:00:00Z|Batman"])
    #expect(try rows("SELECT name,heroes FROM Publisher_view", file) == ["DC|Batman"])
  }

  @Test func aViewOfAnEntityHasItsDescendantsWithTheirEntity() throws {
    let file = try StoreFile()
    try fill(open(file))
    #expect(
      try rows("SELECT entity,id FROM Hero_view ORDER BY id", file)
        == ["Hero|1", "Hero|2", "Villain|3"])
    #expect(try rows("SELECT id,name,plan FROM Villain_view", file) == ["3|Bane|none"])
  }

  @Test func aViewShowsTenMembersInTheirOrder() throws {
    let file = try StoreFile()
    let context = try open(file)
    for count in [10, 11] {
      let members = (1...count).reversed().map { #"{"id": \#(count * 100 + $0)}"# }
      try context.importJSON(
        #"{"name": "\#(count)", "heroes": [\#(members.joined(separator: ", "))]}"#,
        into: "Publisher")
    }
    try context.save()
    let ten = (1...10).reversed().map { "\(1000 + $0)" }.joined(separator: ", ")
    let eleven = (2...11).reversed().map { "\(1100 + $0)" }.joined(separator: ", ")
    #expect(
      try rows("SELECT name,heroes FROM Publisher_view ORDER BY name", file)
        == ["10|\(ten)", "11|\(eleven), …"])
  }

  @Test func aViewShowsADateBeyondTheYearsOfSQLiteAsANumber() throws {
    let file = try StoreFile()
    let context = try open(file)
    try context.importJSON(#"{"id": 1, "born": "2000-01-01"}"#, into: "Hero")
    try context.save()
    try file.database().execute("UPDATE Hero SET born = \(Int64.max)")
    #expect(try rows("SELECT born FROM Hero_view", file) == ["\(Int64.max)"])
  }

  // MARK: Making

  @Test func aStoreHasViewsOnlyWhenTheyAreAskedFor() throws {
    let file = try StoreFile()
    let count = "SELECT count(*) FROM sqlite_master WHERE type = 'view'"
    _ = try open(file, [:])
    #expect(try file.database().integer(count) == 0)
    _ = try open(file)
    #expect(try file.database().integer(count) == 5)
    _ = try open(file, [:])
    #expect(try file.database().integer(count) == 5)
    let version = try file.database().integer("PRAGMA schema_version")
    _ = try open(file)
    #expect(try file.database().integer("PRAGMA schema_version") == version)
    try file.database().execute("DROP VIEW Hero_view")
    _ = try open(file)
    #expect(try file.database().integer(count) == 5)
  }

  @Test func aMigrationMakesTheViewsAnewAndKeepsThoseOfOthers() throws {
    let file = try StoreFile()
    try fill(open(file))
    try file.database().execute("CREATE VIEW heroes AS SELECT name FROM Hero WHERE name > 'Ba'")
    let patch: JSONValue = [
      "entities": ["Power": ["attributes": ["kind": ["type": "string", "optional": true]]]]
    ]
    let context = try open(file, [:], patch)
    #expect(try context.count(FetchRequest("Hero")) == 3)
    #expect(
      try rows("SELECT code,kind FROM Power_view ORDER BY code", file)
        == ["7|null", "8|null", "9|null"])
    #expect(try rows("SELECT name FROM heroes ORDER BY name", file) == ["Bane", "Batman"])
    #expect(try open(file, [:], patch).count(FetchRequest("Hero")) == 3)
  }

  @Test func aTableOrViewOfAnotherProgramIsLeftAsItIs() throws {
    for sql in ["CREATE TABLE hero_VIEW (x)", "CREATE VIEW Hero_view AS SELECT 1"] {
      let file = try StoreFile()
      try fill(open(file, [:]))
      try file.database().execute(sql)
      var failed: GrootError?
      do { _ = try open(file) } catch let error as GrootError { failed = error }
      #expect(failed?.status == .invalidArgument)
      #expect(failed?.description.contains("'Hero_view' that another program made") == true)
      #expect(
        try file.database().integer(
          "SELECT count(*) FROM sqlite_master WHERE name = 'Power_view'") == 0)
      #expect(try open(file, [:]).count(FetchRequest("Hero")) == 3)
    }
  }

  @Test func anEntityNamedLikeAViewKeepsItsName() throws {
    let file = try StoreFile()
    let patch: JSONValue = [
      "entities": ["Hero_view": ["attributes": ["name": ["type": "string", "optional": true]]]]
    ]
    let context = try open(file, ["views": true], patch)
    try context.insert("Hero_view").set("name", to: .string("kept"))
    try context.save()
    #expect(try rows("SELECT name FROM Hero_view_view", file) == ["kept"])
    #expect(try rows("SELECT name FROM Hero_view", file) == ["kept"])
    #expect(try file.database().integer("SELECT count(*) FROM Hero_view_2") == 0)
  }

  @Test(arguments: 0..<60) func eachViewHasTheObjectsOfItsEntity(seed: UInt64) throws {
    let law = try LawModel(seed: seed)
    let file = try StoreFile()
    _ = try ManagedObjectContext(
      mapping: law.mapping, storePath: file.path, options: SQLiteStoreOptions(["views": true]))
    let database = try file.database()
    let schema = StoreSchema(law.mapping)
    let layout = SQLLayout(schema, dialect: SQLiteDialect())
    let concrete = Set(law.model.entities.filter { !$0.isAbstract }.map(\.name))
    for table in schema.tableIndices {
      for entity in schema.tables[table].entities where concrete.contains(entity) {
        try database.execute(
          "INSERT INTO \(quoted(layout.tables[table].name)) (_entity, _version) "
            + "VALUES (\(quotedText(entity)), 1)")
      }
    }
    for (view, name) in zip(schema.views, layout.names(of: schema.views)) {
      let columns = try database.integer(
        "SELECT count(*) FROM pragma_table_info(\(quotedText(name)))")
      let extra = view.entities.count > 1 ? 1 : 0
      #expect(columns == max(Int64(view.properties.count + extra), 1), "\(name)")
      let entities = schema.tables[view.table].entities[view.entities]
      let count = try file.rowCount("SELECT * FROM \(quoted(name))")
      #expect(count == entities.filter(concrete.contains).count, "\(name)")
    }
  }
}
