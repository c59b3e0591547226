import Foundation
import Groot
import GrootFoundation
import Testing

/// Groot's own values as members of Codable types.
struct OwnValueTests {
  private struct Record: Codable, Equatable {
    var id: Int64
    var born: Timestamp?
    var debut: CalendarDay?
    var badge: UUIDValue?
    var wealth: DecimalNumber?
    var notes: JSONValue?
  }

  private let record = Record(
    id: 1, born: Timestamp(microseconds: .min),
    debut: CalendarDay(year: 1939, month: 5, day: 1), badge: UUIDValue(high: 1, low: 2),
    wealth: DecimalNumber("12345678901234567890.5"),
    notes: ["b": [1, 2.5, nil, true, "x"], "a": ["c": [:]]])

  @Test func theyAreImportedAndDecoded() throws {
    let context = try Comics.context()
    let hero = try context.importEncoded(record, as: Hero.self)[0]
    #expect(try context.decode(Record.self, from: hero) == record)
    #expect(try context.decode(Record.self, fromExportOf: hero) == record)
    let large = try #require(LargeNumber("123456789012345678901234567890"))
    #expect(try JSONValue(encoding: [JSONValue.largeNumber(large)]).description == "[\(large)]")
  }

  @Test func codersOfFoundationTakeThemToo() throws {
    let data = try JSONEncoder().encode(record)
    #expect(try JSONDecoder().decode(Record.self, from: data) == record)
    let numbers = try JSONDecoder().decode([DecimalNumber].self, from: Data("[1, 0.1]".utf8))
    #expect(numbers == [1, 0.1])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Timestamp].self, from: Data(#"["soon"]"#.utf8))
    }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([CalendarDay].self, from: Data(#"["1939-02-29"]"#.utf8))
    }
  }

  @Test func daysAreComponents() throws {
    for text in ["1939-05-01", "0000-02-29", "-000044-03-15", "+294247-01-10"] {
      let day = try #require(CalendarDay(text))
      let components = DateComponents(day)
      #expect(CalendarDay(components) == day)
    }
    let caesar = DateComponents(try #require(CalendarDay("-000044-03-15")))
    #expect(caesar.year == -44 && caesar.month == 3 && caesar.day == 15 && caesar.hour == nil)
    #expect(CalendarDay(DateComponents(year: 1939, month: 2, day: 29)) == nil)
    #expect(CalendarDay(DateComponents(year: 1939, month: 2)) == nil)
    #expect(CalendarDay(DateComponents(year: 1939, day: 1)) == nil)
    #expect(CalendarDay(DateComponents(month: 2, day: 1)) == nil)
    let timed = DateComponents(year: 1939, month: 5, day: 1, hour: 23)
    #expect(CalendarDay(timed) == CalendarDay("1939-05-01"))
  }
}
