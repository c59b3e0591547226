import Testing

@testable import Groot
@testable import GrootSQLite

/// A store that was made for one model is opened with another.
struct MigrationTests {
  private static let document: JSONValue = [
    "entities": [
      "Being": [
        "abstract": true,
        "attributes": ["id": ["type": "integer16", "userInfo": ["JSONKeyPath": "id"]]],
        "userInfo": ["identityAttributes": "id"],
      ],
      "Hero": [
        "parent": "Being",
        "attributes": [
          "name": ["type": "string", "optional": true],
          "rating": ["type": "integer32", "optional": true],
          "height": ["type": "float", "optional": true],
        ],
        "relationships": [
          "powers": [
            "destination": "Power", "toMany": true, "inverse": "heroes", "optional": true,
          ],
          "mentor": ["destination": "Hero", "inverse": "pupils", "optional": true],
          "pupils": [
            "destination": "Hero", "toMany": true, "ordered": true, "inverse": "mentor",
            "optional": true,
          ],
          "pet": ["destination": "Pet", "optional": true],
        ],
      ],
      "Villain": ["parent": "Being"],
      "Power": [
        "attributes": ["name": ["type": "string", "optional": true]],
        "relationships": [
          "heroes": [
            "destination": "Hero", "toMany": true, "ordered": true, "inverse": "powers",
            "optional": true,
          ]
        ],
      ],
      "Pet": ["attributes": ["name": ["type": "string", "optional": true]]],
    ]
  ]

  private func mapping(_ patch: JSONValue = [:]) throws -> Mapping {
    try Mapping(model: ManagedObjectModel(document: CaseComparison.patched(Self.document, patch)))
  }

  /// A store with a hero of each kind of property.
  private func makeFile() throws -> StoreFile {
    let file = try StoreFile()
    try fill(file)
    return file
  }

  private func makeStore(_ kind: StoreKind) throws -> any StorePlace {
    let place = try kind.place()
    try fill(place)
    return place
  }

  private func fill(_ file: any StorePlace) throws {
    let context = try file.context(mapping())
    let heroes = try (1...3).map { id in
      let hero = try context.insert("Hero")
      try hero.set("id", to: .integer(Int64(id)))
      try hero.set("name", to: .string("Hero \(id)"))
      try hero.set("rating", to: .integer(Int64(id) * 1000))
      try hero.set("height", to: .real(1.5))
      return hero
    }
    try heroes[0].set("pupils", to: [heroes[2], heroes[1]])
    for name in ["Flight", "Webs"] {
      let power = try context.insert("Power")
      try power.set("name", to: .string(name))
      try power.set("heroes", to: [heroes[1], heroes[0]])
    }
    let pet = try context.insert("Pet")
    try heroes[0].set("pet", to: pet)
    try context.insert("Villain").set("id", to: 9)
    try context.save()
    // The last key was used: it must stay so.
    try context.delete(heroes[1].id)
    try context.save()
  }

  private func open(
    _ file: any StorePlace, _ patch: JSONValue, _ options: JSONValue = [:]
  ) throws -> ManagedObjectContext {
    let context = try file.context(mapping(patch), options)
    #expect(context.brokenInvariants() == [])
    try file.requireSound()
    // What was brought to the model is one of it: it opens without being allowed to change.
    let again = try file.context(mapping(patch), ["migrate": false])
    #expect(dump(again) == dump(context))
    return context
  }

  private func hero(_ context: ManagedObjectContext, _ entity: String = "Hero") throws
    -> ManagedObject
  {
    try #require(context.fetch(FetchRequest(entity, where: ["id": 1])).first)
  }

  @Test(arguments: StoreKind.present) func addedPropertiesAreEmptyOrHaveTheirDefault(
    kind: StoreKind
  ) throws {
    let file = try makeStore(kind)
    let patch: JSONValue = [
      "entities": [
        "Hero": [
          "attributes": [
            "motto": ["type": "string", "optional": true],
            "rank": ["type": "integer64", "default": 7],
            "price": ["type": "decimal", "default": "1.50"],
            "tag": ["type": "uuid", "default": "7d444840-9dc0-11d1-b245-5ffdce74fad2"],
            "data": ["type": "binary", "default": "AAE="],
          ],
          "relationships": [
            "rivals": ["destination": "Being", "toMany": true, "optional": true],
            "home": ["destination": "City", "optional": true],
          ],
        ],
        "Being": ["attributes": ["note": ["type": "string", "default": "it's new"]]],
        "City": ["attributes": ["name": ["type": "string", "optional": true]]],
      ]
    ]
    let context = try open(file, patch)
    let first = try hero(context)
    #expect(try first["name"] == "Hero 1")
    #expect(try first["motto"] == .null)
    #expect(try first["rank"] == 7)
    #expect(try first["price"] == .decimal(#require(DecimalNumber("1.5"))))
    #expect(try first["data"] == .binary([0, 1]))
    #expect(try first["tag"] != .null)
    #expect(try first["note"] == "it's new")
    let villain = try #require(context.fetch(FetchRequest("Villain")).first)
    #expect(try villain["note"] == "it's new")
    #expect(try first.target("home") == nil)
    #expect(try first.members("rivals").isEmpty)
    #expect(try first.members("pupils").map { try $0["id"] } == [3])
    #expect(try first.members("powers").count == 2)
    // It can be written, and keys go on where they were.
    try first.set("home", to: context.insert("City"))
    let fourth = try context.insert("Hero")
    try fourth.set("id", to: 4)
    try context.save()
    #expect(try file.number("SELECT max(_id) FROM \"Being\"") == 5)
  }

  @Test(arguments: StoreKind.present) func valuesAreRemovedOnlyWhenThatIsAskedFor(kind: StoreKind)
    throws
  {
    let file = try makeStore(kind)
    let patch: JSONValue = [
      "entities": [
        "Pet": nil, "Villain": nil,
        "Hero": [
          "attributes": ["rating": nil], "relationships": ["pet": nil, "powers": nil],
        ],
        "Power": ["relationships": ["heroes": nil]],
      ]
    ]
    // Only when that is asked for, in words. A snapshot keeps a server from changing its tables.
    try {
      let before = try file.context(mapping())
      let content = dump(before)
      do {
        _ = try open(file, patch)
        Issue.record("this was not refused")
      } catch let error as GrootError {
        #expect(error.status == .storeModel)
        #expect(
          error.issues.dropFirst().map(\.message)
            == [
              "1 object", "1 object", "2 values", "1 link", "2 links",
            ].map { "\($0) would be lost" })
        #expect(
          error.issues.dropFirst().map(\.entity) == ["Villain", "Pet", "Hero", "Hero", "Hero"])
        #expect(error.issues.dropFirst().map(\.property) == ["", "", "rating", "pet", "powers"])
      }
      try before.refresh()
      #expect(dump(before) == content)
    }()
    let context = try open(file, patch, ["migrate": "destructive"])
    #expect(try context.count(FetchRequest("Being")) == 2)
    #expect(try context.count(FetchRequest("Power")) == 2)
    #expect(try hero(context).members("pupils").count == 1)
  }

  @Test(arguments: StoreKind.present) func propertiesWithoutValuesAreRemovedUnasked(kind: StoreKind)
    throws
  {
    let file = try makeStore(kind)
    try {
      let context = try file.context(mapping())
      for pet in try context.fetch(FetchRequest("Pet")) { try context.delete(pet.id) }
      for hero in try context.fetch(FetchRequest("Hero")) {
        try hero.set("rating", to: .null)
        try hero.set("powers", to: [])
      }
      try context.save()
    }()
    let context = try open(
      file,
      [
        "entities": [
          "Pet": nil, "Power": ["relationships": ["heroes": nil]],
          "Hero": ["attributes": ["rating": nil], "relationships": ["pet": nil, "powers": nil]],
        ]
      ])
    #expect(try context.count(FetchRequest("Being")) == 3)
  }

  @Test(
    arguments: [
      (#"{"Hero": {"attributes": {"name": {"transient": true}}}}"#, "2 values would be lost"),
      (
        #"{"Hero": {"attributes": {"name": null, "title": {"type": "string", "optional": true}}}}"#,
        "2 values would be lost"
      ),
      (#"{"Hero": {"relationships": {"mentor": null, "pupils": null}}}"#, "1 link"),
      (
        #"{"Hero": {"attributes": {"name": null, "n\u0061me\u0301": {"type": "string", "optional": true}}}}"#,
        "2 values"
      ),
    ], StoreKind.present)
  func aRefusedMigrationCountsTheValuesThatWouldBeLost(
    _ change: (entities: String, reason: String), kind: StoreKind
  ) throws {
    let (entities, reason) = change
    let file = try makeStore(kind)
    let patch: JSONValue = ["entities": try JSONValue(parsing: entities)]
    do {
      _ = try open(file, patch)
      Issue.record("this was not refused")
    } catch let error as GrootError {
      #expect(error.status == .storeModel)
      #expect(error.description.contains(reason), "\(error)")
    }
    let context = try open(file, patch, ["migrate": "destructive"])
    #expect(try context.count(FetchRequest("Being")) == 3)
  }

  @Test(arguments: StoreKind.present) func aModelWithNothingInCommonIsRefused(kind: StoreKind)
    throws
  {
    let file = try makeStore(kind)
    let before = dump(try file.context(mapping()))
    let other = try Mapping(
      model: ManagedObjectModel(
        document: #"{"entities": {"Car": {"attributes": {"name": {"type": "string"}}}}}"#))
    for migrate: JSONValue in [false, true, "destructive"] {
      do {
        _ = try file.context(other, ["migrate": migrate])
        Issue.record("this was not refused")
      } catch {
        let error = try #require(error as? GrootError)
        #expect(error.status == .storeModel)
        #expect(migrate == false || error.description.contains("nothing in common"), "\(error)")
      }
    }
    #expect(dump(try file.context(mapping())) == before)
  }

  @Test(arguments: StoreKind.present)
  func aStoreWithoutObjectsTakesAnyModelIfItMayLoseItsTables(kind: StoreKind) throws {
    let place = try kind.place()
    try place.context(mapping()).refresh()
    let document = #"{"entities": {"Car": {"attributes": {"name": {"type": "string"}}}}}"#
    let other = try Mapping(model: ManagedObjectModel(document: JSONValue(parsing: document)))
    #expect(throws: GrootError.self) { try place.context(other) }
    let context = try place.context(other, ["migrate": "destructive"])
    try context.insert("Car").set("name", to: .string("Batmobile"))
    try context.save()
    #expect(try place.context(other).count(FetchRequest("Car")) == 1)
    try place.requireSound()
  }

  @Test(arguments: StoreKind.present) func aRelationshipThatBecomesItsOwnInverseLeadsBothWays(
    kind: StoreKind
  ) throws {
    func mapping(_ inverse: JSONValue) throws -> Mapping {
      let friends: JSONValue = ["destination": "Hero", "toMany": true, "optional": true]
      let relationships: JSONValue = [
        "friends": CaseComparison.patched(friends, ["inverse": inverse])
      ]
      return try Mapping(
        model: ManagedObjectModel(document: ["entities": ["Hero": ["relationships": relationships]]]
        ))
    }
    let file = try kind.place()
    let context = try file.context(mapping(.null))
    let heroes = try (0..<3).map { _ in try context.insert("Hero") }
    try heroes[0].set("friends", to: [heroes[2], heroes[0]])
    try heroes[2].set("friends", to: [heroes[0], heroes[1]])
    try context.save()
    let after = try file.context(mapping("friends"))
    let found = try after.fetch(FetchRequest("Hero"))
    let friends = try found.map { try $0.members("friends").map { found.firstIndex(of: $0) } }
    #expect(friends == [[2, 0], [2], [0, 1]])
    #expect(after.brokenInvariants() == [])
  }

  @Test(arguments: StoreKind.present) func namesOfDifferentBytesAreDifferentNames(kind: StoreKind)
    throws
  {
    func mapping(_ name: String) throws -> Mapping {
      try Mapping(
        model: ManagedObjectModel(document: [
          "entities": [
            "Hero": ["attributes": [name: ["type": "string", "optional": true]]]
          ]
        ]))
    }
    let file = try kind.place()
    let (composed, decomposed) = (try mapping("\u{E9}"), try mapping("e\u{301}"))
    let context = try file.context(composed)
    try context.insert("Hero").set("\u{E9}", to: "kept")
    try context.save()
    #expect(throws: GrootError.self) {
      try file.context(decomposed)
    }
    let after = try file.context(decomposed, ["migrate": "destructive"])
    #expect(try after.fetch(FetchRequest("Hero")).first?["e\u{301}"] == .null)
  }

  @Test(arguments: StoreKind.present) func renamedEntitiesAndPropertiesKeepTheirValues(
    kind: StoreKind
  ) throws {
    let file = try makeStore(kind)
    let patch: JSONValue = [
      "entities": [
        "Being": nil, "Hero": nil, "Power": nil, "Villain": ["parent": "Creature"],
        "Creature": [
          "abstract": true, "renamingIdentifier": "Being",
          "attributes": [
            "id": ["type": "integer16", "userInfo": ["JSONKeyPath": "id"]]
          ],
          "userInfo": ["identityAttributes": "id"],
        ],
        "Champion": [
          "parent": "Creature", "renamingIdentifier": "Hero",
          "attributes": [
            "title": ["type": "string", "optional": true, "renamingIdentifier": "name"]
          ],
          "relationships": [
            "teacher": [
              "destination": "Champion", "inverse": "students", "optional": true,
              "renamingIdentifier": "mentor",
            ],
            "students": [
              "destination": "Champion", "toMany": true, "ordered": true, "inverse": "teacher",
              "optional": true, "renamingIdentifier": "pupils",
            ],
            "pet": ["destination": "Pet", "optional": true],
          ],
        ],
        "Ability": [
          "renamingIdentifier": "Power",
          "attributes": ["name": ["type": "string", "optional": true]],
          "relationships": [
            "owners": [
              "destination": "Champion", "toMany": true, "ordered": true, "optional": true,
              "renamingIdentifier": "heroes",
            ]
          ],
        ],
      ]
    ]
    // Rating and height go.
    let context = try open(file, patch, ["migrate": "destructive"])
    let first = try hero(context, "Champion")
    #expect(try first["title"] == "Hero 1")
    #expect(try first.members("students").map { try $0["title"] } == ["Hero 3"])
    #expect(try first.target("pet") != nil)
    // The join has changed its sides: the other entity declares it now.
    for ability in try context.fetch(FetchRequest("Ability")) {
      #expect(try ability.members("owners") == [first])
    }
    #expect(try context.count(FetchRequest("Villain")) == 1)
  }

  @Test(arguments: StoreKind.present) func valuesStayWhenTheirTypeWidens(kind: StoreKind) throws {
    let file = try makeStore(kind)
    let patch: JSONValue = [
      "entities": [
        "Being": ["attributes": ["id": ["type": "integer64"]]],
        "Hero": [
          "attributes": [
            "rating": ["type": "decimal"], "height": ["type": "double"], "name": ["type": "uri"],
          ]
        ],
      ]
    ]
    let first = try hero(open(file, patch))
    #expect(try first["rating"] == .decimal(DecimalNumber(1000)))
    #expect(try first["height"] == .real(1.5))
    #expect(try first["name"] == .uri("Hero 1"))
  }

  @Test(
    arguments: [
      (#"{"Hero": {"attributes": {"name": {"type": "date"}}}}"#, "does not become date"),
      (#"{"Being": {"attributes": {"id": {"type": "boolean"}}}}"#, "does not become boolean"),
      (#"{"Hero": {"attributes": {"rating": {"type": "day"}}}}"#, "does not become day"),
      (#"{"Hero": {"attributes": {"name": {"type": "day"}}}}"#, "does not become day"),
      (#"{"Hero": {"attributes": {"must": {"type": "string"}}}}"#, "required and has no default"),
      (#"{"Villain": {"parent": null}}"#, "in one table with those of"),
      (#"{"Villain": {"abstract": true}}"#, "abstract now"),
      (
        #"{"Hero": {"attributes": {"name": null}}, "Being": {"attributes": {"name": {"type": "string", "optional": true}}}}"#,
        "another entity declares the property now"
      ),
      (
        #"{"Hero": {"relationships": {"pet": {"destination": "Power"}}}}"#, "of another kind"
      ),
      (#"{"Hero": {"relationships": {"pet": {"toMany": true}}}}"#, "of another kind"),
      (
        #"{"Hero": {"relationships": {"pet": null}, "attributes": {"pet": {"type": "string", "optional": true}}}}"#,
        "was not an attribute"
      ),
    ], StoreKind.present)
  func aChangeThatNoMigrationCanMakeIsRefused(
    _ change: (entities: String, reason: String), kind: StoreKind
  ) throws {
    let (entities, reason) = change
    let file = try makeStore(kind)
    let before = try file.context(mapping())
    let patch: JSONValue = ["entities": try JSONValue(parsing: entities)]
    do {
      _ = try file.context(mapping(patch))
      Issue.record("this was not refused")
    } catch let error as GrootError {
      #expect(error.status == .storeModel)
      #expect(error.description.contains(reason), "\(error)")
    }
    let after = try file.context(mapping())
    #expect(dump(after) == dump(before))
  }

  @Test func aBackupHoldsTheStoreAsItWasBeforeTheMigration() throws {
    let file = try makeFile()
    let copy = try StoreFile()
    let before = try file.context(mapping())
    let options = SQLiteStoreOptions([
      "backup": .string(copy.path), "migrate": "destructive",
    ])
    let patch: JSONValue = ["entities": ["Pet": nil, "Hero": ["relationships": ["pet": nil]]]]
    _ = try ManagedObjectContext(mapping: mapping(patch), storePath: file.path, options: options)
    let kept = try ManagedObjectContext(mapping: mapping(), storePath: copy.path)
    #expect(dump(kept) == dump(before))
    // Not where something is already: nothing is changed then.
    let next: JSONValue = ["entities": ["Power": nil, "Hero": ["relationships": ["powers": nil]]]]
    #expect(throws: GrootError.self) {
      try ManagedObjectContext(mapping: mapping(next), storePath: file.path, options: options)
    }
    _ = try open(file, patch)
  }

  @Test func objectsOfAnUnknownEntityStopAMigration() throws {
    let file = try makeFile()
    let database = try file.database()
    try database.execute("UPDATE Being SET _entity = 'Nobody' WHERE _entity = 'Villain'")
    let bytes = try file.bytes()
    let more: JSONValue = [
      "entities": ["Villain": ["attributes": ["name": ["type": "string", "optional": true]]]]
    ]
    for migrate: JSONValue in [true, "destructive"] {
      let error = #expect(throws: GrootError.self) {
        try ManagedObjectContext(
          mapping: mapping(more), storePath: file.path,
          options: SQLiteStoreOptions(["migrate": migrate]))
      }
      #expect(error?.status == .storeInvalid)
      #expect(error?.description.contains("an unknown entity: 1") == true)
      #expect(try file.bytes() == bytes)
    }
  }

  @Test func aLinkToAnObjectOfAnotherEntityIsReported() throws {
    for (sql, part) in [
      ("UPDATE Being SET mentor = (SELECT _id FROM Being WHERE id = 9) WHERE id = 3", "of another"),
      ("UPDATE Being SET _entity = 'Being' WHERE id = 9", "no entity"),
    ] {
      let file = try makeFile()
      let database = try file.database()
      try database.execute(sql)
      let error = #expect(throws: GrootError.self) {
        let context = try file.context(mapping())
        for being in try context.fetch(FetchRequest("Being")) {
          _ = try being["id"]
          if try being.entityName() == "Hero" { _ = try being.target("mentor")?["id"] }
        }
      }
      #expect(error?.status == .storeInvalid, "\(sql)")
      #expect(error?.description.contains(part) == true, "\(sql): \(String(describing: error))")
    }
  }

  @Test(arguments: StoreKind.present) func daysBecomeTextWhenTheTypeBecomesString(kind: StoreKind)
    throws
  {
    let document: JSONValue = [
      "entities": [
        "Thing": [
          "userInfo": ["identityAttributes": "born"],
          "attributes": ["born": ["type": "day", "userInfo": ["JSONKeyPath": "born"]]],
        ]
      ]
    ]
    let place = try kind.place()
    let days = ["1968-03-01", "0001-01-01", "0000-02-29", "-004711-12-31", "+012345-06-07"]
    try {
      let context = try place.context(Mapping(model: ManagedObjectModel(document: document)))
      for day in days {
        try context.insert("Thing").set("born", to: .day(#require(CalendarDay(day))))
      }
      try context.save()
    }()
    let patch: JSONValue = ["entities": ["Thing": ["attributes": ["born": ["type": "string"]]]]]
    let changed = CaseComparison.patched(document, patch)
    let context = try place.context(Mapping(model: ManagedObjectModel(document: changed)))
    #expect(
      try context.fetch(FetchRequest("Thing")).map { try $0["born"] } == days.map { .string($0) })
  }
}
