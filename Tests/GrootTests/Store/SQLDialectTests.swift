import GrootSQL
import Testing

@testable import Groot

/// A database with short names, named constraints, numbered parameters and few abilities.
private struct StrictDialect: SQLDialect {
  let longestName: Int? = 12
  let keyType = "bigint"
  let namesConstraints = true
  let namesReferences = false
  let hasDefaults = false
  let indexesSingleEntities = true
  let joinOptions = ""
  let limits = SQLQuery.Limits(parameters: 4, joins: 3, depth: 20, conditions: 20)
  let unlimited: Int64? = nil
  let distinctOrdersByOthers = false

  func compared(_ name: String) -> [UInt8] { Array(name.utf8) }

  func isReserved(_ name: String) -> Bool { name.isEmpty || name == "oid" }

  func type(_ attribute: AttributeType) -> String { attribute == .string ? "text" : "bigint" }

  func converted(_ column: String, from old: AttributeType, to new: AttributeType) -> String {
    old == new ? column : "\(old.rawValue)_to_\(new.rawValue)(\(column))"
  }

  func insertNew(into table: String, _ selection: String) -> String {
    "INSERT INTO \(table) \(selection) ON CONFLICT DO NOTHING"
  }

  func marks(_ parameter: SQLQuery.Parameter, first: Int) -> [String] { ["$\(first)"] }

  func constant(_ isTrue: Bool) -> String { isTrue ? "TRUE" : "FALSE" }

  func collated(_ column: String, _ type: AttributeType) -> String { column }

  func comparison(
    _ attribute: SQLQuery.Attribute, _ sign: String, _ mark: String, ignoresCase: Bool
  ) -> String? {
    ignoresCase ? nil : "\(attribute.column) \(sign) \(mark)"
  }

  func isOne(_ attribute: SQLQuery.Attribute, of marks: String, ignoresCase: Bool) -> String? {
    ignoresCase ? nil : "\(attribute.column) = ANY (\(marks))"
  }

  func differs(_ key: String, from mark: String) -> String { "\(key) <> ALL (\(mark))" }

  func matching(
    _ attribute: SQLQuery.Attribute, _ match: TextMatch, pattern: String, ignoresCase: Bool,
    bind: (String) -> String
  ) -> String? {
    match == .beginsWith ? "starts_with(\(attribute.column), \(bind(pattern)))" : nil
  }

  func ordered(_ collated: String, isAscending: Bool) -> String {
    collated + (isAscending ? " NULLS FIRST" : " DESC NULLS LAST")
  }

  func readable(_ column: String, _ type: AttributeType) -> String { column }
  func asText(_ value: String) -> String { "CAST(\(value) AS text)" }
  func joined(_ text: String) -> String { "string_agg(\(text), ', ')" }
}

/// A count of what is in a store that answers each question with the same number.
private struct Answer: SQLRunner {
  let number: Int64

  func texts(_ sql: String, columns: Int) -> [[String]] { [["\(number)"]] }
}

/// The parts that stores in SQL share, with a dialect that differs from SQLite's in everything.
struct SQLDialectTests {
  private static let document = """
    {"entities": {
      "Hero": {
        "attributes": {
          "oid": {"type": "string", "optional": true},
          "age": {"type": "integer16", "optional": true}
        },
        "relationships": {
          "team": {"destination": "Team", "inverse": "heroes", "optional": true},
          "powers": {
            "destination": "Power", "toMany": true, "inverse": "heroes", "optional": true
          }
        }
      },
      "Team": {
        "attributes": {"name": {"type": "string", "optional": true}},
        "relationships": {
          "heroes": {"destination": "Hero", "toMany": true, "inverse": "team", "optional": true}
        }
      },
      "Power": {
        "relationships": {
          "heroes": {"destination": "Hero", "toMany": true, "inverse": "powers", "optional": true}
        }
      }
    }}
    """

  private let model: ManagedObjectModel
  private let schema: StoreSchema
  private let layout: SQLLayout

  init() throws {
    model = try ManagedObjectModel(document: JSONValue(parsing: Self.document))
    schema = try StoreSchema(document: model.document)
    layout = SQLLayout(schema, dialect: StrictDialect())
  }

  /// Returns the SQL of a fetch of heroes.
  private func fetch(
    _ predicate: JSONValue? = nil, sort: [FetchRequest.SortKey] = [], limit: Int? = nil,
    offset: Int = 0, leftOut: [Int64] = []
  ) throws -> SQLQuery {
    var sql = SQLQuery(schema, layout: layout)
    var query = try query(predicate, sort: sort, limit: limit, offset: offset)
    query.leftOut = leftOut
    sql.fetch(query) { $0 + ".*" }
    return sql
  }

  private func query(
    _ predicate: JSONValue?, sort: [FetchRequest.SortKey], limit: Int? = nil, offset: Int = 0
  ) throws -> StoreQuery {
    let context = ManagedObjectContext(mapping: try Mapping(model: model))
    let entity = try model.index(of: "Hero")
    return StoreQuery(
      model.resolved[entity],
      predicate: try context.predicate(of: FetchRequest("Hero", where: predicate), entity),
      keys: try FetchOrder(sort, of: entity, model: model).keys, limit: limit, offset: offset)
  }

  // MARK: Tables

  private func names(_ attributes: String...) throws -> [String] {
    let list = attributes.map { "\"\($0)\": {\"type\": \"string\", \"optional\": true}" }
    let document = "{\"entities\": {\"It\": {\"attributes\": {\(list.joined(separator: ", "))}}}}"
    let schema = try StoreSchema(document: JSONValue(parsing: document))
    return SQLLayout(schema, dialect: StrictDialect()).tables[TableIndex(0)].columns
  }

  @Test func aLongNameIsCutAtTheEndOfACharacter() throws {
    #expect(try names("abcdefghijkl") == ["abcdefghijkl"])
    #expect(try names("abcdefghijk\u{e9}") == ["abcdefghijk"])
    #expect(try names("abcdefghijklm", "Name", "name") == ["abcdefghijkl", "Name", "name"])
  }

  @Test func theNumberOfANameThatIsCutFitsToo() throws {
    let found = try names("abcdefghijklm", "abcdefghijkln", "abcdefghijklo", "abcdefghijklp")
    #expect(found == ["abcdefghijkl", "It_abcdefghi", "It_abcdefg_2", "It_abcdefg_3"])
  }

  @Test func referencesBecomeConstraintsWithNames() {
    let definition = SQLDefinition(schema: schema, layout: layout)
    #expect(
      definition.tables.first == """
        CREATE TABLE "Hero" (_id bigint CONSTRAINT "_Hero_key" PRIMARY KEY, _entity text NOT NULL, \
        _version bigint NOT NULL, "poid" text, "age" bigint, "team" bigint, "_team_order" bigint)
        """)
    #expect(
      definition.tables.last == """
        CREATE TABLE "Hero_powers" (source bigint NOT NULL, target bigint NOT NULL, \
        source_order bigint NOT NULL, target_order bigint NOT NULL, \
        CONSTRAINT "_Hero_powe_2" PRIMARY KEY (source, target))
        """)
    let end = "(_id)"
    #expect(
      definition.statements.suffix(3) == [
        """
        ALTER TABLE "Hero" ADD CONSTRAINT "_Hero_team" \
        FOREIGN KEY ("team") REFERENCES "Team" \(end)
        """,
        """
        ALTER TABLE "Hero_powers" ADD CONSTRAINT "_Hero_powe_3" \
        FOREIGN KEY (source) REFERENCES "Hero" \(end)
        """,
        """
        ALTER TABLE "Hero_powers" ADD CONSTRAINT "_Hero_powers" \
        FOREIGN KEY (target) REFERENCES "Power" \(end)
        """,
      ])
  }

  // MARK: Queries

  @Test func parametersAreNumberedAndListsAreOne() throws {
    let sql = try fetch(
      ["age": ["in": [1, 2, 3, 4, 5, 6]], "oid": ["beginsWith": "a"]], sort: [.descending("age")],
      offset: 7, leftOut: [8, 9])
    #expect(sql.isPossible)
    #expect(
      sql.text == """
        SELECT t1.* FROM "Hero" AS t1 WHERE t1._id <> ALL ($1) AND (t1."age" = ANY ($2) \
        AND starts_with(t1."poid", $3)) ORDER BY t1."age" DESC NULLS LAST, t1._id OFFSET $4
        """)
    #expect(sql.parameters.count == 4)
    #expect(try fetch(limit: 1, offset: 2).text.hasSuffix(" LIMIT $1 OFFSET $2"))
    #expect(try fetch(["age": ["in": [1]]], limit: 1, offset: 2, leftOut: [3]).isPossible)
    #expect(
      try !fetch(["age": ["in": [1]], "oid": "a"], limit: 1, offset: 2, leftOut: [3]).isPossible)
  }

  @Test func theDatabaseIsNotAskedWhatItCannotAnswer() throws {
    #expect(try !fetch(["oid": ["contains": "a"]]).isPossible)
    #expect(try !fetch(["oid": ["==": "a", "ignoreCase": true]]).isPossible)
    #expect(try !fetch(["oid": ["in": ["a"], "ignoreCase": true]]).isPossible)
    #expect(try fetch(["oid": "a"]).isPossible)
  }

  @Test func distinctValuesAreInTheOrderOfWhatIsSelected() throws {
    let hero = try model.index(of: "Hero")
    func isPossible(_ sort: String, isDistinct: Bool) throws -> Bool {
      var sql = SQLQuery(schema, layout: layout)
      let path = try PropertyPath("age", of: hero, model: model, location: "$")
      _ = sql.select(
        try query(nil, sort: [.ascending(sort)]), paths: [path], isDistinct: isDistinct)
      return sql.isPossible
    }
    #expect(try isPossible("age", isDistinct: true))
    #expect(try isPossible("oid", isDistinct: false))
    #expect(try !isPossible("oid", isDistinct: true))
  }

  // MARK: Migration

  @Test func aRebuildSetsConstraintsAside() throws {
    let text = Self.document.split(separator: "integer16").joined(separator: "decimal")
    let new = try StoreSchema(document: JSONValue(parsing: text))
    let names = SQLLayout(new, dialect: StrictDialect())
    let structure = SQLStructure(new, layout: names, store: "here")
    let described = SQLStructure(schema, layout: layout, store: "here")
    let old = try structure.described(
      model: model.document.description, structure: described.text)
    #expect(old.statements == described.statements)
    let rebuild = try SQLRebuild(
      from: old, to: new, layout: names, rule: .lossless, store: "here", runner: Answer(number: 0))
    #expect(
      rebuild.settingAside.first
        == #"ALTER TABLE "Hero" DROP CONSTRAINT IF EXISTS "_Hero_team""#)
    #expect(
      rebuild.settingAside.suffix(2) == [
        #"ALTER TABLE "Hero_powers" RENAME TO "_old_join_0""#,
        #"ALTER TABLE "_old_join_0" RENAME CONSTRAINT "_Hero_powe_2" TO "__old_join_0_key""#,
      ])
    #expect(
      rebuild.copies.first?.statement.text == """
        INSERT INTO "Hero" (_id, _entity, _version, "poid", "age", "team", "_team_order") \
        SELECT _id, CASE _entity WHEN $1 THEN $2 END, _version, "poid", \
        integer16_to_decimal("age"), "team", "_team_order" FROM "_old_table_0" \
        WHERE _entity IN ($3) ORDER BY _id
        """)
    #expect(
      rebuild.linkCopies == [
        """
        INSERT INTO "Hero_powers" (source, target, source_order, target_order) \
        SELECT source, target, source_order, target_order FROM "_old_join_0" ON CONFLICT DO NOTHING
        """
      ])
    #expect(throws: GrootError.self) {
      try SQLRebuild(
        from: old, to: new, layout: names, rule: .lossless, store: "here",
        runner: Answer(number: 1))
    }
  }
}
