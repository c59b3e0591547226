import Foundation
import Groot
import GrootFoundation
import Testing

/// Objects decoded as values of a program's own types.
struct DecodingTests {
  struct Card: Codable, Equatable {
    var id: Int64
    var name: String?
    var born: Date?
    var badge: UUID?
    var photo: Data?
    var wealth: Decimal?
    var page: URL?
  }

  struct Person: Decodable {
    let id: UInt8
    let friends: [Person]?
  }

  private let batman = """
    {"id": 1, "name": "Batman", "born": "1939-05-01T00:00:00.5Z", "photo": "AAH+/w==",
     "badge": "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "page": "https://example.com/",
     "wealth": 12345678901234567890.123456789, "notes": {"since": "1940-01-01T00:00:00Z",
       "numbers": [1, 2.5, 9223372036854775807], "deep": {"key": [null, true]}},
     "publisher": {"id": 10, "name": "DC"}, "gadgets": [{"label": "rope"}, {"label": "car"}],
     "friends": [{"id": 2, "name": "Robin"}]}
    """

  private func hero() throws -> Hero {
    try Comics.context().importText(batman, as: Hero.self)[0]
  }

  @Test func attributesAreThoseOfTheTypes() throws {
    let hero = try hero()
    let context = hero.managedObject.context
    let card = try context.decode(Card.self, from: hero)
    #expect(card.born == Date(timeIntervalSince1970: -967_939_199.5))
    #expect(card.badge?.uuidString == "6BA7B810-9DAD-11D1-80B4-00C04FD430C8")
    #expect(card.photo == Data([0, 1, 254, 255]))
    #expect(card.wealth?.description == "12345678901234567890.123456789")
    #expect(card.page?.host == "example.com")
    #expect(try hero.managedObject.decode(as: Card.self) == card)
    #expect(try context.decode(Card.self, from: [hero, hero]) == [card, card])
    #expect(try context.decode(Card.self, fromExportOf: hero) == card)
    #expect(try context.decode(Card.self, fromExportOf: [hero]) == [card])
  }

  @Test func relationshipsAreObjectsOrIdentifiers() throws {
    struct Summary: Decodable {
      struct Named: Decodable, Equatable {
        let label: String?
        let name: String?
      }
      let publisher: Int
      let friends: Set<Int64>
      let gadgets: [Named]
    }
    struct Whole: Decodable {
      let publisher: Summary.Named
    }
    let hero = try hero().managedObject
    let summary = try hero.decode(as: Summary.self)
    #expect(summary.publisher == 10 && summary.friends == [2])
    #expect(summary.gadgets.map(\.label) == ["rope", "car"])
    #expect(try hero.decode(as: Whole.self).publisher.name == "DC")
  }

  @Test func valuesThatAreJSONAreDecodedFurther() throws {
    struct Notes: Decodable {
      let since: Date
      let numbers: [Decimal]
      let deep: [String: [Bool?]]
    }
    struct Whole: Decodable { let notes: Notes }
    let notes = try hero().managedObject.decode(as: Whole.self).notes
    #expect(notes.since == Date(timeIntervalSince1970: -946_771_200))
    #expect(notes.deep == ["key": [nil, true]])
    #expect(notes.numbers.map(\.description) == ["1", "2.5", "9223372036854775807"])
  }

  @Test func aDoubleThatWouldRoundIsRefused() throws {
    struct Rounded: Decodable { let wealth: Double }
    let object = try hero().managedObject
    expectFailure(.wrongType, "$.wealth") { _ = try object.decode(as: Rounded.self) }
    try object.set("wealth", to: Decimal(string: "12.5") ?? 0)
    #expect(try object.decode(as: Rounded.self).wealth == 12.5)
    try object.set("id", to: Int64.max)
    #expect(try object.decode(as: Card.self).id == .max)
    expectFailure(.wrongType, "$.id") { _ = try object.decode(as: Person.self) }
  }

  @Test func textIsWhatAnExportWrites() throws {
    struct Texts: Decodable { let born, badge, photo, page: String }
    let texts = try hero().managedObject.decode(as: Texts.self)
    #expect(texts.born == "1939-05-01T00:00:00.500Z" && texts.photo == "AAH+/w==")
    #expect(texts.badge == "6ba7b810-9dad-11d1-80b4-00c04fd430c8")
  }

  @Test func circlesEnd() throws {
    let context = try Comics.context()
    let heroes = try context.importText(#"[{"id": 1}, {"id": 2}, {"id": 3}]"#, as: Hero.self)
    for hero in heroes { hero.friends = Members(heroes) }
    let person = try context.decode(Person.self, from: heroes[0])
    // Himself, who is inside himself, is his identity alone.
    #expect(person.friends?.map(\.id) == [1, 2, 3])
    #expect(person.friends?[0].friends == nil)
    #expect(person.friends?[1].friends?[2].friends?.map(\.id) == [1, 2, 3])
    let flat = try context.decode(Person.self, from: heroes[0], depth: 0)
    #expect(flat.friends?.count == 3 && flat.friends?[1].friends == nil)
    expectFailure(.missingValue, "$.friends[0].friends") {
      struct Strict: Decodable { let friends: [Strict] }
      _ = try context.decode(Strict.self, from: heroes[0])
    }
  }

  @Test func objectsWithoutIdentityAreLeftOut() throws {
    struct Owner: Decodable {
      struct Thing: Decodable { let owner: Owner? }
      let id: Int
      let gadgets: [Thing]?
    }
    let object = try hero().managedObject
    #expect(try object.decode(as: Owner.self).gadgets?.compactMap(\.owner?.id) == [1, 1])
    #expect(try object.decode(as: Owner.self, depth: 0).gadgets == nil)
  }

  @Test func longChainsAreRefused() throws {
    let context = try Comics.context()
    let heroes = try context.importJSON(.data(Comics.feed(400)), as: Hero.self)
    for index in 0..<399 { heroes[index].friends.append(heroes[index + 1]) }
    let object = heroes[0].managedObject
    expectFailure(.limitExceeded, "128") { _ = try object.decode(as: Person.self) }
    #expect(try object.decode(as: Person.self, depth: 60).friends?.count == 1)
  }

  @Test func graphsWithManyWaysEnd() throws {
    let context = try Comics.context()
    let heroes = try context.importJSON(.data(Comics.feed(40)), as: Hero.self)
    // Two ways from each pair to the next.
    for index in 0..<38 {
      let next = index / 2 * 2 + 2
      heroes[index].friends.append(contentsOf: heroes[next..<next + 2])
    }
    expectFailure(.limitExceeded, "limit the depth") {
      _ = try context.decode(Person.self, from: heroes[0])
    }
    #expect(try context.decode(Person.self, from: heroes[0], depth: 1).friends?.count == 2)
  }

  @Test func failuresSayWhere() throws {
    struct Odd: Decodable { let name: Int }
    struct Unknown: Decodable { let cape: String }
    struct Angry: Decodable {
      struct Refusal: Error {}
      init(from decoder: any Decoder) throws { throw Refusal() }
    }
    let hero = try hero()
    let context = hero.managedObject.context
    expectFailure(.wrongType, "$.name") { _ = try context.decode(Odd.self, from: hero) }
    expectFailure(.missingValue, "cape") { _ = try context.decode(Unknown.self, from: hero) }
    do {
      _ = try context.decode(Angry.self, from: hero)
    } catch {
      #expect(error.status == .callbackFailed && error.underlying is Angry.Refusal)
    }
    expectFailure(.invalidArgument) {
      _ = try Comics.context().decode(Card.self, from: hero)
    }
    try context.delete(hero)
    expectFailure(.objectDeleted) { _ = try context.decode(Card.self, from: hero) }
  }
}
