import Foundation
import Groot
import GrootFoundation
import Testing

/// Types of Foundation as values of attributes.
struct ValueTests {
  @Test func eachTypeGoesThereAndBack() throws {
    let context = try Comics.context()
    let hero = try context.insert(Hero.self)
    let (born, badge) = (Date(timeIntervalSince1970: -965_001_600.25), UUID())
    hero.born = born
    hero.badge = badge
    hero.photo = Data([0, 1, 254, 255])
    hero.wealth = Decimal(string: "12345678901234567890.123456789")
    hero.page = URL(string: "https://example.com/a%20b?c=d#e")
    try context.checkAccess()
    #expect(hero.born == born)
    #expect(hero.badge == badge)
    #expect(hero.photo == Data([0, 1, 254, 255]))
    #expect(hero.wealth?.description == "12345678901234567890.123456789")
    #expect(hero.page?.absoluteString == "https://example.com/a%20b?c=d#e")
    let json = try context.exportValue(hero.managedObject)
    #expect(json["born"] == "1939-06-03T23:59:59.750Z")
    #expect(json["badge"] == .string(badge.uuidString.lowercased()))
    #expect(json["photo"] == "AAH+/w==")
    hero.born = nil
    #expect(hero.born == nil)
  }

  @Test func propertiesNamedByTextToo() throws {
    let hero = try Comics.context().insert("Hero")
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    try hero.set("born", to: date)
    #expect(try hero.value("born", as: Date.self) == date)
    #expect(try hero.value("wealth", as: Decimal.self) == nil)
    expectFailure(.wrongType, "Hero.name") {
      try hero.set("name", to: "Batman")
      _ = try hero.value("name", as: Date.self)
    }
  }

  @Test func conditionsTakeThem() throws {
    let context = try Comics.context()
    let ids = (0..<3).map { _ in UUID() }
    for (index, id) in ids.enumerated() {
      let hero = try context.insert(Hero.self)
      hero.born = Date(timeIntervalSince1970: Double(index))
      hero.badge = id
      hero.wealth = Decimal(index)
    }
    let later = try context.fetch(Hero.self) { $0.born > Date(timeIntervalSince1970: 0.5) }
    #expect(later.map(\.badge) == [ids[1], ids[2]])
    #expect(try context.count(Hero.self) { $0.badge == ids[1] } == 1)
    #expect(try context.count(Hero.self) { $0.wealth.between(1, and: 2) } == 2)
    // A date out of range is not a condition that holds for objects without a date.
    expectFailure(.wrongType) {
      _ = try context.count(Hero.self) { $0.born == Date(timeIntervalSince1970: .infinity) }
    }
  }

  @Test(arguments: [
    Double.infinity, -.infinity, .nan, 1e300, -1e300, 9.3e12, -9.3e12, 9.223372036854775e18,
  ])
  func datesOutOfRangeAreRefused(seconds: Double) throws {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    #expect(Timestamp(date) == nil)
    let hero = try Comics.context().insert("Hero")
    expectFailure(.wrongType, "Hero.born") { try hero.set("born", to: date) }
    #expect(try hero["born"].isNull)
  }

  @Test func datesKeepTheirMicrosecond() throws {
    var random = SystemRandomNumberGenerator()
    // 1729 to 2273, and whole seconds everywhere.
    for _ in 0..<10_000 {
      let near = Timestamp(
        microseconds: .random(in: -7_605_000_000_000_000...9_561_000_000_000_000, using: &random))
      #expect(Timestamp(Date(near)) == near)
      let far = Int64.random(in: -9_223_372_036_854...9_223_372_036_854, using: &random)
      let whole = Timestamp(microseconds: far * 1_000_000)
      #expect(Timestamp(Date(whole)) == whole)
    }
    #expect(Timestamp(Date.distantPast) != nil && Timestamp(Date.distantFuture) != nil)
    #expect(Date(Timestamp(microseconds: .max)) > Date(Timestamp(microseconds: .min)))
    #expect(Timestamp(Date(timeIntervalSince1970: -0.000_001))?.microseconds == -1)
  }

  @Test func uuidsHaveTheSameText() {
    for _ in 0..<100 {
      let uuid = UUID()
      #expect(UUIDValue(uuid).description == uuid.uuidString.lowercased())
      #expect(UUID(UUIDValue(uuid)) == uuid)
    }
    #expect(UUID.absent.uuidString == "00000000-0000-0000-0000-000000000000")
  }

  @Test(arguments: [
    "0", "1", "-1", "0.1", "-12345678901234567890123456789012345678",
    "99999999999999999999999999999999999999", "5E-128",
    "-99999999999999999999999999999999999999E127",
    "7E164", "1E128",
  ])
  func decimalsAreExact(text: String) throws {
    let number = try #require(DecimalNumber(text))
    let decimal = try #require(Decimal(number))
    #expect(DecimalNumber(decimal) == number)
  }

  @Test(arguments: ["1E-129", "12E165", "1E6144", "1E-6144", "12345678901234567890E147"])
  func decimalsThatFoundationHasNotAreRefused(text: String) throws {
    let number = try #require(DecimalNumber(text))
    #expect(Decimal(number) == nil)
    let hero = try Comics.context().insert("Hero")
    try hero.set("wealth", to: number)
    expectFailure(.wrongType, "Decimal") { _ = try hero.value("wealth", as: Decimal.self) }
  }

  @Test func decimalsThatGrootHasNotAreRefused() throws {
    let hero = try Comics.context().insert("Hero")
    // 39 digits.
    for decimal in [Decimal(string: "340282366920938463463374607431768211455"), Decimal.nan] {
      let decimal = try #require(decimal)
      #expect(DecimalNumber(decimal) == nil)
      expectFailure(.wrongType, "Hero.wealth") { try hero.set("wealth", to: decimal) }
    }
    #expect(Decimal.greatestFiniteMagnitude.attributeValue.stringValue != nil)
  }

  @Test func textThatIsNotAURLIsRefused() throws {
    let context = try Comics.context()
    let hero = try context.importText(#"{"id": 1, "page": "two words"}"#, as: Hero.self)[0]
    #expect(hero.page == nil)
    expectFailure(.wrongType, "two words") { try context.checkAccess() }
    #expect(try hero.managedObject["page"].stringValue == "two words")
    #expect(URL.absent.absoluteString == "about:blank")
  }

  @Test func errorsAreLocalized() throws {
    let error = GrootError(
      .missingValue,
      [
        GrootIssue(.missingValue, "a value is required", path: "$[0].id", entity: "Hero"),
        GrootIssue(.wrongType, "no date", path: "$[1].born"),
      ])
    #expect(error.localizedDescription == error.description)
    #expect(error.errorDescription?.split(separator: "\n").count == 2)
    #expect(error.failureReason == "a value is required")
  }
}
