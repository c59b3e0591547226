import Foundation
import Groot
import GrootFoundation
import Testing

/// Groot's own values as members of Codable types.
struct OwnValueTests {
  private struct Record: Codable, Equatable {
    var id: Int64
    var born: Timestamp?
    var badge: UUIDValue?
    var wealth: DecimalNumber?
    var notes: JSONValue?
  }

  private let record = Record(
    id: 1, born: Timestamp(microseconds: .min), badge: UUIDValue(high: 1, low: 2),
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
  }
}
