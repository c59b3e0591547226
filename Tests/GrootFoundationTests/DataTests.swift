import Foundation
import Groot
import GrootFoundation
import Testing

/// JSON as data, and in files that URLs name.
struct DataTests {
  @Test func dataIsReadAndWritten() throws {
    let context = try Comics.context()
    let heroes = try context.importJSON(.data(Comics.feed(3)), as: Hero.self)
    #expect(heroes.map(\.name) == ["hero 0", "hero 1", "hero 2"])
    let options = ExportOptions(properties: ["id", "name"])
    let all = try context.exportData(heroes, options: options)
    #expect(try JSONValue(parsing: String(decoding: all, as: UTF8.self))[2]?["id"] == 2)
    #expect(try context.exportData(heroes.map(\.managedObject), options: options) == all)
    #expect(try context.exportData(heroes.result.ids, options: options) == all)
    #expect(try context.exportData(FetchRequest("Hero"), options: options) == all)
    let one = try context.exportData(heroes[1], options: options)
    #expect(String(decoding: one, as: UTF8.self) == #"{"id":1,"name":"hero 1"}"#)
    // Part of a larger piece, whose indices do not begin at 0.
    let slice = Data(#"xx{"id": 9}"#.utf8)[2...]
    #expect(try context.importJSON(.data(slice), as: Hero.self)[0].id == 9)
    expectFailure(.invalidJSON) { try context.importJSON(.data(Data()), into: "Hero") }
    expectFailure(.invalidJSON) {
      try context.importJSON(.data(Data([0x22, 0xFF, 0x22])), into: "Hero")
    }
  }

  @Test func filesAreReadAndWritten() throws {
    let file = Comics.file()
    defer { try? FileManager.default.removeItem(at: file) }
    let context = try Comics.context()
    let heroes = try context.importJSON(.data(Comics.feed(100)), as: Hero.self)
    try context.export(heroes.result.ids, toFile: file)
    let copy = try Comics.context()
    #expect(try copy.importJSON(.file(file), into: "Hero").report.inserted == 100)
    #expect(try copy.export(FetchRequest("Hero", limit: 7), toFile: file) == 7)
    #expect(try context.importJSON(.file(file), into: "Hero").count == 7)
  }

  @Test(arguments: ["https://example.com/a.json", "file:///tmp/a%00b.json", "a.json"])
  func urlsOfOtherThingsThanFilesAreRefused(text: String) throws {
    let url = try #require(URL(string: text))
    let context = try Comics.context()
    expectFailure(.invalidArgument, text) { try context.importJSON(.file(url), into: "Hero") }
    expectFailure(.invalidArgument, text) { try context.export([], toFile: url) }
    expectFailure(.invalidArgument, text) {
      try context.export(FetchRequest("Hero"), toFile: url)
    }
  }

  @Test func missingFilesAreFileErrors() throws {
    let context = try Comics.context()
    expectFailure(.fileError) { try context.importJSON(.file(Comics.file()), into: "Hero") }
  }
}
