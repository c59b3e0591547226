import GrootSQL
import Testing

@testable import Groot
@testable import GrootPostgreSQL

/// Behaviour that only a store in PostgreSQL has.
@Suite(.enabled(if: PostgreSQLPlace.server != nil, "GROOT_POSTGRESQL names no server"))
struct PostgreSQLStoreTests {
  private func mapping() throws -> Mapping {
    try Mapping(
      model: ManagedObjectModel(document: [
        "entities": [
          "Hero": [
            "userInfo": ["identityAttributes": "id"],
            "attributes": [
              "id": ["type": "integer64", "userInfo": ["JSONKeyPath": "id"]],
              "name": ["type": "string", "optional": true, "userInfo": ["JSONKeyPath": "name"]],
              "born": ["type": "day", "optional": true, "userInfo": ["JSONKeyPath": "born"]],
            ],
            "relationships": [
              "team": [
                "destination": "Team", "optional": true, "inverse": "members",
                "userInfo": ["JSONKeyPath": "team"],
              ],
              "leads": ["destination": "Team", "optional": true, "inverse": "leader"],
              "friends": [
                "destination": "Hero", "toMany": true, "optional": true, "inverse": "friends",
              ],
            ],
          ],
          "Team": [
            "userInfo": ["identityAttributes": "name"],
            "attributes": ["name": ["type": "string", "userInfo": ["JSONKeyPath": "name"]]],
            "relationships": [
              "members": [
                "destination": "Hero", "toMany": true, "optional": true, "inverse": "team",
              ],
              "leader": ["destination": "Hero", "optional": true, "inverse": "leads"],
            ],
          ],
        ]
      ]))
  }

  /// All indexes and constraints of a schema.
  private func structure(_ place: PostgreSQLPlace) throws -> [String] {
    let rows = try place.run(
      "SELECT indexname || ' ' || indexdef FROM pg_indexes WHERE schemaname = current_schema() "
        + "UNION ALL SELECT conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint "
        + "WHERE connamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) "
        + "ORDER BY 1")
    return (0..<rows.count).map { rows.text($0, 0).replacing(place.schema, with: "") }
  }

  private func fill(_ context: ManagedObjectContext, _ count: Int) throws {
    let records = (1...count).map { id -> JSONValue in
      [
        "id": .integer(Int64(id)), "name": .string("Hero \(id)"),
        "team": ["name": .string("Team \(id % 50)")],
      ]
    }
    _ = try context.importJSON(.value(.array(records)), into: "Hero", options: ImportOptions())
  }

  @Test func aStoreFilledAtOnceHasTheKeysAndIndexesOfOneThatGrew() throws {
    let places = [try PostgreSQLPlace(), try PostgreSQLPlace()]
    for (place, count) in zip(places, [6_000, 10]) {
      let (context, _) = try place.open(mapping())
      try fill(context, count)
      try context.save()
      #expect(try place.number("SELECT count(*) FROM \"Hero\"") == Int64(count))
    }
    #expect(try structure(places[0]) == structure(places[1]))
  }

  @Test func aSnapshotOfOthersOnlyMakesFillingSlower() throws {
    let place = try PostgreSQLPlace()
    let (other, _) = try place.open(mapping())
    #expect(try other.count(FetchRequest("Hero")) == 0)
    let (context, _) = try place.open(mapping())
    try fill(context, 6_000)
    try context.save()
    #expect(try other.count(FetchRequest("Hero")) == 0)
    try other.refresh()
    #expect(try other.count(FetchRequest("Hero")) == 6_000)
  }

  @Test(arguments: [3, 4, 6, 8, 9, 11])
  func aFillingThatFailsLeavesTheStoreAsItWas(statement: Int) throws {
    let place = try PostgreSQLPlace()
    var (context, store) = try place.open(mapping())
    let before = try structure(place)
    try fill(context, 6_000)
    var status: Status?
    let isCut = CutConnection(store).after(statement) {
      do { try context.save() } catch { status = (error as? GrootError)?.status }
    }
    #expect(isCut && status == .storeDisconnected)
    #expect(try structure(place) == before)
    try context.save()
    (context, store) = try place.open(mapping())
    #expect(try context.count(FetchRequest("Hero")) == 6_000)
    #expect(try structure(place) == before)
  }

  @Test func objectsThatReferInACircleAreSavedAndDeleted() throws {
    for kind in StoreKind.present {
      let place = try kind.place()
      var context = try place.context(mapping())
      let hero = try context.insert("Hero")
      let team = try context.insert("Team")
      try hero.set("id", to: 1)
      try team.set("name", to: "A")
      try hero.set("team", to: team)
      try team.set("leader", to: hero)
      try hero.set("friends", to: [hero])
      try context.save()
      context = try place.context(mapping())
      let found = try #require(context.fetch(FetchRequest("Hero")).first)
      #expect(try found.target("leads") == found.target("team"))
      for object in try context.fetch(FetchRequest("Team")) + [found] {
        try context.delete(object.id)
      }
      try context.save()
      #expect(try place.number("SELECT count(*) FROM \"Team\"") == 0)
      #expect(try place.number("SELECT count(*) FROM \"Hero\"") == 0)
    }
  }

  @Test func aViewShowsLabelsOfLinkedObjects() throws {
    let place = try PostgreSQLPlace()
    var options = PostgreSQLStoreOptions()
    options.makesViews = true
    let (context, _) = try place.open(mapping(), options)
    _ = try context.importJSON(
      .value([
        ["id": 1, "name": "Batman", "born": "1915-04-07", "team": ["name": "Outsiders"]],
        ["id": 2, "team": ["name": "Outsiders"]],
      ]), into: "Hero", options: ImportOptions())
    try context.save()
    let heroes = try place.run("SELECT name, born, team FROM \"Hero_view\" WHERE id = 1")
    #expect((0..<3).map { heroes.text(0, $0) } == ["Batman", "1915-04-07", "Outsiders"])
    let teams = try place.run("SELECT members FROM \"Team_view\"")
    #expect(teams.text(0, 0) == "Batman, 2")
    // Opened again, they are there; another program's table in their place is not touched.
    _ = try place.open(mapping(), options)
    try place.run("DROP VIEW \"Team_view\"; CREATE TABLE \"Team_view\" (a bigint)")
    let error = #expect(throws: GrootError.self) { try place.open(mapping(), options) }
    #expect(error?.status == .invalidArgument)
    #expect(try place.number("SELECT count(*) FROM \"Hero_view\"") == 2)
  }

  @Test(arguments: [
    ("postgresql:///x?groot.nothing=1", "groot.nothing"),
    ("postgresql:///x?groot.retries=-1", "retries"),
    ("postgresql:///x?groot.foreignKeys=maybe", "foreignKeys"),
    ("postgresql:///x?groot.schema=%zz", "schema"),
    ("postgresql://u:secret%zz@h/x", "cannot be read"),
    ("postgresql:///x?nothing=1", "cannot be read"),
  ])
  func aWrongURLIsRefusedWithoutAPassword(url: String, part: String) throws {
    let error = #expect(throws: GrootError.self) {
      try ManagedObjectContext(mapping: mapping(), storeURL: url)
    }
    #expect(error?.status == .invalidArgument)
    #expect(error?.description.contains(part) == true)
    #expect(error?.description.contains("secret") == false)
  }

  @Test func aValueThatCannotBeHeldIsRefusedWhereItIsSetOrImported() throws {
    let place = try PostgreSQLPlace()
    let (context, store) = try place.open(mapping())
    let hero = try context.insert("Hero")
    let before = store.statementCount
    let error = #expect(throws: GrootError.self) { try hero.set("name", to: "a\0b") }
    #expect(error?.status == .outOfRange && error?.issues.first?.property == "name")
    var options = ImportOptions()
    options.errorMode = .skip
    let report = try context.importJSON(
      .text(#"[{"id": 1, "name": "a\u0000b"}, {"id": 2, "born": "-004713-01-01"}, {"id": 3}]"#),
      into: "Hero", options: options
    ).report
    #expect(report.inserted == 1)
    #expect(report.issues.map(\.path) == ["$[0].name", "$[1].born"])
    #expect(report.issues.allSatisfy { $0.status == .outOfRange && $0.entity == "Hero" })
    #expect(store.statementCount - before < 5)
  }
}
