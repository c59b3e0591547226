import Testing

@testable import Groot
@testable import GrootSQLite

/// Other programs write to a store: values that are not of their types, links to missing objects, and a
/// log that several connections read.
struct ForeignValueTests {
  private static let document = """
    {"entities": {
      "Region": {"attributes": {"name": {"type": "string",
          "userInfo": {"JSONKeyPath": "name", "identityAttribute": "true"}}},
        "userInfo": {"identityAttributes": "name"},
        "relationships": {"countries": {"destination": "Country", "toMany": true,
          "optional": true, "inverse": "region"}}},
      "Country": {"attributes": {
          "cca3": {"type": "string", "optional": true, "userInfo": {"JSONKeyPath": "cca3"}},
          "founded": {"type": "date", "optional": true, "userInfo": {"JSONKeyPath": "founded"}},
          "area": {"type": "double", "optional": false, "default": 0,
            "userInfo": {"JSONKeyPath": "area"}},
          "landlocked": {"type": "boolean", "optional": true, "userInfo": {"JSONKeyPath": "landlocked"}}},
        "userInfo": {"identityAttributes": "cca3"},
        "relationships": {
          "region": {"destination": "Region", "optional": true, "inverse": "countries",
            "userInfo": {"JSONKeyPath": "region"}},
          "borders": {"destination": "Country", "toMany": true, "optional": true, "inverse": "borders"}}}}}
    """

  private func open(_ file: StoreFile) throws -> ManagedObjectContext {
    let document = try JSONValue(parsing: Self.document)
    let mapping = try Mapping(model: ManagedObjectModel(document: document))
    return try ManagedObjectContext(mapping: mapping, storePath: file.path)
  }

  /// A store with three countries, of which SQL changes something.
  private func store(_ sql: String) throws -> StoreFile {
    let file = try StoreFile()
    let context = try open(file)
    try context.importJSON(
      """
      [{"cca3": "DEU", "area": 357114, "landlocked": false, "region": {"name": "Europe"}},
       {"cca3": "FRA", "area": 551695, "landlocked": false, "region": {"name": "Europe"}},
       {"cca3": "CHE", "area": 41284, "landlocked": true, "region": {"name": "Europe"}}]
      """, into: "Country")
    try context.save()
    try file.database().execute(sql)
    return file
  }

  private func country(_ context: ManagedObjectContext, _ name: String) throws -> ManagedObject {
    let found = try context.fetch(FetchRequest("Country", where: ["cca3": .string(name)]))
    return try #require(found.first)
  }

  private func status(_ body: () throws -> Void) -> GrootError? {
    #expect(throws: GrootError.self) { try body() }
  }

  private static let changes = [
    ("founded", "'2020-01-01'", "microseconds since 1970"), ("area", "'wide'", "a number"),
    ("landlocked", "2", "0 or 1"), ("founded", "1.5", "microseconds since 1970"),
    ("landlocked", "x'0102'", "0 or 1"),
  ]

  @Test(arguments: changes)
  func aValueOfAnotherTypeIsAnErrorOfItsPropertyAlone(
    column: String, literal: String, form: String
  ) throws {
    let file = try store("UPDATE Country SET \(column) = \(literal) WHERE cca3 = 'FRA'")
    let context = try open(file)
    #expect(try context.fetch(FetchRequest("Country")).count == 3)
    #expect(try country(context, "DEU")["area"] == .real(357114))
    let france = try country(context, "FRA")
    #expect(try france["cca3"] == .string("FRA"))
    #expect(try france.target("region")?["name"] == .string("Europe"))
    let error = status { _ = try france[column] }
    #expect(error?.status == .storeValueInvalid)
    #expect(error?.issues.first?.entity == "Country")
    #expect(error?.issues.first?.property == column)
    let message = error?.issues.first?.message ?? ""
    #expect(message.contains("the object 2 of 'Country'") && message.contains(form))
    #expect(message.contains("in its column '\(column)'"))
    // Nothing is lost in silence.
    #expect(
      status { _ = try context.exportText(context.fetch(FetchRequest("Country"))) }?.status
        == .storeValueInvalid)
    #expect(
      status { _ = try context.column(column, of: "Country", objects: [france.id]) }?.status
        == .storeValueInvalid)
    #expect(try context.storeFaults().map(\.status) == [.storeValueInvalid])
    // Another property is set without the bad one.
    try france.set("cca3", to: "FRX")
    try context.save()
    #expect(status { _ = try france[column] }?.status == .storeValueInvalid)
    #expect(try file.database().integer("SELECT count(*) FROM Country WHERE cca3 = 'FRX'") == 1)
  }

  @Test(arguments: changes)
  func aValueOfAnotherTypeIsReplacedBySettingImportingOrDeleting(
    column: String, literal: String, form: String
  ) throws {
    let sql = "UPDATE Country SET \(column) = \(literal) WHERE cca3 = 'FRA'"
    let values: [String: Value] = [
      "founded": .date(Timestamp(microseconds: 0)), "area": .real(1), "landlocked": .boolean(true),
    ]
    let value = try #require(values[column])
    for way in ["set", "undo", "clear", "import", "delete"] {
      let file = try store(sql)
      let context = try open(file)
      let france = try country(context, "FRA")
      switch way {
      case "set": try france.set(column, to: value)
      case "undo":
        try france.set(column, to: value)
        #expect(try france[column] == value)
        try context.rollback()
        #expect(status { _ = try france[column] }?.status == .storeValueInvalid)
        try france.set(column, to: value)
      case "clear":
        if column == "area" { continue }
        try context.clear(.name(column), of: france.id)
      case "import":
        try context.importJSON(
          """
          [{"cca3": "FRA", "founded": "1970-01-01T00:00:00Z", "area": 1, "landlocked": true}]
          """, into: "Country")
      default: try context.delete(france.id)
      }
      if way != "delete" {
        #expect(try france[column] == (way == "clear" ? .null : value))
      }
      try context.save()
      if way != "delete" {
        #expect(try france[column] == (way == "clear" ? .null : value))
      }
      #expect(try context.storeFaults().isEmpty)
      let again = try open(file)
      #expect(try again.storeFaults().isEmpty)
      #expect(try again.fetch(FetchRequest("Country")).count == (way == "delete" ? 2 : 3))
      if way != "delete" {
        #expect(try country(again, "FRA")[column] == (way == "clear" ? .null : value))
      }
    }
  }

  @Test func aCorrectedValueIsReadAfterARefresh() throws {
    let file = try store("UPDATE Country SET founded = 'then' WHERE cca3 = 'FRA'")
    let context = try open(file)
    #expect(try context.storeFaults().count == 1)
    try file.database().execute("UPDATE Country SET founded = 5 WHERE cca3 = 'FRA'")
    try context.refresh()
    #expect(
      try country(context, "FRA")["founded"] == .date(Timestamp(microseconds: 5)))
    #expect(try context.storeFaults().isEmpty)
  }

  @Test func aReferenceOfAnotherTypeIsAnErrorOfItsRelationship() throws {
    let file = try store(
      "PRAGMA foreign_keys = OFF; UPDATE Country SET region = 'Europe' WHERE cca3 = 'FRA'")
    let context = try open(file)
    let france = try country(context, "FRA")
    #expect(status { _ = try france.target("region") }?.status == .storeValueInvalid)
    #expect(try country(context, "DEU").target("region")?["name"] == .string("Europe"))
    try france.set("region", to: country(context, "DEU").target("region"))
    try context.save()
    #expect(try open(file).storeFaults().isEmpty)
  }

  @Test func aLinkToAMissingObjectIsAFault() throws {
    let file = try store(
      "PRAGMA foreign_keys = OFF; UPDATE Country SET region = 7 WHERE cca3 = 'FRA'")
    let context = try open(file)
    let faults = try context.storeFaults()
    #expect(faults.map(\.status) == [.storeInvalid])
    #expect(
      faults.first?.message.contains(
        "'region' of the object 2 of 'Country' leads to the object 7 of 'Region'") == true)
    try country(context, "FRA").set("region", to: nil)
    try context.save()
    #expect(try context.storeFaults().isEmpty)
    #expect(try open(file).storeFaults().isEmpty)
  }

  @Test func aCopyOfAStoreRefusesAValueOfAnotherType() throws {
    let file = try store("UPDATE Country SET founded = 'then' WHERE cca3 = 'FRA'")
    let copy = try StoreFile()
    let (context, target) = (try open(file), try open(copy))
    #expect(status { try context.copyStore(to: target) }?.status == .storeValueInvalid)
    #expect(try target.fetch(FetchRequest("Country")).isEmpty)
  }

  // MARK: The log

  @Test func theLogOfTwoContextsThatWriteInTurnIsBounded() throws {
    let file = try StoreFile()
    let (one, two) = (try open(file), try open(file))
    for number in 0..<800 {
      if number % 20 == 0 { for context in [one, two] { try context.refresh() } }
      for context in [one, two] {
        let country = try context.insert("Country")
        try country.set("cca3", to: .string("\(number) \(context === one)"))
        try context.save()
        try context.delete(country.id)
        try context.save()
      }
    }
    #expect(try file.logSize() < 10 << 20)
  }

  @Test func theLogOfAWriterIsBoundedWhileAReaderRefreshes() throws {
    let file = try StoreFile()
    let (writer, reader) = (try open(file), try open(file))
    let country = try writer.insert("Country")
    for number in 0..<2_000 {
      try country.set("cca3", to: .string("\(number)"))
      try writer.save()
      if number % 10 == 9 {
        try reader.refresh()
        #expect(try reader.fetch(FetchRequest("Country")).first?["cca3"] == .string("\(number)"))
      }
    }
    #expect(try file.logSize() < 10 << 20)
  }
}
