import Foundation
import Groot
import GrootFoundation
import Testing

/// Values of a program's own types as what imports read.
struct EncodingTests {
  typealias Card = DecodingTests.Card

  private var card: Card {
    Card(
      id: .max, name: "Batman", born: Date(timeIntervalSince1970: 0.25), badge: UUID(),
      photo: Data([255]), wealth: Decimal(string: "12345678901234567890.123456789"),
      page: URL(string: "https://example.com/"))
  }

  @Test func importedValuesAreDecodedAgain() throws {
    let context = try Comics.context()
    let card = card
    let hero = try context.importEncoded(card, as: Hero.self)[0]
    #expect(try context.decode(Card.self, from: hero) == card)
    let cards = [card, Card(id: 2)]
    let result = try context.importEncoded(cards, into: "Hero")
    #expect(result.report.inserted == 1 && result.report.unchanged == 1)
    #expect(try context.decode(Card.self, from: result) == cards)
    #expect(try context.decode(Card.self, fromExportOf: result) == cards)
    let report = try context.sync(Hero.self, with: .encoded([card])).report
    #expect(report.deleted == 1)
  }

  @Test func formsAreThoseThatImportsRead() throws {
    var card = card
    card.badge = UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8")
    let json = try JSONValue(encoding: card)
    #expect(json["id"] == .integer(.max))
    #expect(json["born"] == "1970-01-01T00:00:00.250Z")
    #expect(json["badge"] == "6ba7b810-9dad-11d1-80b4-00c04fd430c8")
    #expect(json["photo"] == "/w==")
    #expect(json["wealth"] == "12345678901234567890.123456789")
    #expect(json["page"] == "https://example.com/")
    #expect(try JSONValue(encoding: [Decimal(12), Decimal(string: "0.5") ?? 0]) == [12, 0.5])
    #expect(try JSONValue(encoding: UInt64.max).description == "18446744073709551615")
    #expect(try JSONValue(encoding: Float(0.1)) == 0.1)
    #expect(try JSONValue(encoding: ["a": [1: true]])["a"]?["1"] == true)
  }

  @Test func jsonOfManyLevelsIsCodedOrRefused() throws {
    func json(_ levels: Int) -> JSONValue {
      (1..<levels).reduce(1) { value, level in level % 2 == 0 ? [value] : ["a": value] }
    }
    let deep = json(2000)
    let text = try JSONEncoder().encode(json(400))
    #expect(try JSONDecoder().decode(JSONValue.self, from: text) == json(400))
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(deep) }
    #expect(throws: EncodingError.self) { try PropertyListEncoder().encode(deep) }
    let list = Data(
      ("<plist version=\"1.0\">" + String(repeating: "<array>", count: 600) + "<true/>"
        + String(repeating: "</array>", count: 600) + "</plist>").utf8)
    #expect(throws: DecodingError.self) {
      try PropertyListDecoder().decode(JSONValue.self, from: list)
    }
  }

  @Test func containersOfEachKindAreThere() throws {
    class Base: Encodable {
      let id = 7
    }
    final class Derived: Base {
      enum Key: String, CodingKey { case name, list, object, none }
      override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode("x", forKey: .name)
        try container.encodeNil(forKey: .none)
        var list = container.nestedUnkeyedContainer(forKey: .list)
        try list.encode(1)
        try list.encodeNil()
        var inner = list.nestedContainer(keyedBy: Key.self)
        try inner.encode(2.5, forKey: .object)
        var deeper = list.nestedUnkeyedContainer()
        try deeper.encode(UInt64(3))
        #expect(list.count == 4)
        var object = container.nestedContainer(keyedBy: Key.self, forKey: .object)
        try object.encode(true, forKey: .name)
        try super.encode(to: container.superEncoder())
      }
    }
    #expect(
      try JSONValue(encoding: Derived()).canonicalText
        == #"{"list":[1,null,{"object":2.5},[3]],"name":"x","none":null,"object":{"name":true},"#
        + #""super":{"id":7}}"#)
    struct Nothing: Encodable {}
    #expect(try JSONValue(encoding: Nothing()).description == "{}")
  }

  @Test func valuesThatJSONLacksAreRefused() throws {
    let context = try Comics.context()
    expectFailure(.outOfRange, "$[0]") { _ = try JSONValue(encoding: [Double.nan]) }
    expectFailure(.outOfRange, "$.born") {
      try context.importEncoded(Card(id: 1, born: Date(timeIntervalSince1970: 1e300)), into: "Hero")
    }
    expectFailure(.outOfRange, "$[1].wealth") {
      try context.importEncoded([Card(id: 1), Card(id: 2, wealth: .nan)], into: "Hero")
    }
    #expect(try context.count(Hero.self) == 0)
    indirect enum Chain: Encodable {
      case end
      case link(Chain)
    }
    let chain = (0..<1000).reduce(Chain.end) { chain, _ in .link(chain) }
    expectFailure(.limitExceeded, "128") { _ = try JSONValue(encoding: chain) }
  }
}
