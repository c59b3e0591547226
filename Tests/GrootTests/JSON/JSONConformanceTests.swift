import Foundation
import Testing

import Groot

/// The texts of Tests/Conformance/json: what is accepted, what is refused, and what jansson decides.
@Suite struct JSONConformanceTests {
  /// One text and what is to become of it.
  struct Case {
    let name: String
    let text: [UInt8]
    let kind: String
    let value: JSONValue?

    init(_ json: JSONValue) throws {
      name = try #require(json["name"]?.stringValue)
      kind = try #require(json["class"]?.stringValue)
      value = json["equals"]
      if let digits = json["bytes"]?.stringValue {
        let pairs = stride(from: 0, to: digits.utf8.count, by: 2)
        text = try pairs.map { try #require(UInt8(digits.dropFirst($0).prefix(2), radix: 16)) }
      } else {
        text = Array(try #require(json["text"]?.stringValue).utf8)
      }
    }
  }

  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Conformance/json")

  static let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.sorted()

  static func cases(_ file: String) throws -> [Case] {
    let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
    return try #require(JSONValue(parsing: text).arrayValue).map(Case.init)
  }

  @Test func theFolderHasEnoughDistinctCases() throws {
    var names: Set<String> = []
    var kinds: [String: Int] = [:]
    for file in Self.files ?? [] {
      for test in try Self.cases(file) {
        #expect(names.insert("\(file) \(test.name)").inserted, "\(test.name) is there twice")
        #expect(test.name.hasPrefix(test.kind + "_"))
        #expect(test.kind != "y" || test.value != nil, "\(test.name)")
        #expect(test.kind != "n" || test.value == nil, "\(test.name)")
        kinds[test.kind, default: 0] += 1
      }
    }
    #expect(names.count >= 500)
    #expect(Set(kinds.keys) == ["y", "n", "i"])
  }

  @Test(arguments: files ?? [])
  func eachCaseIsTakenOrRefusedAsItSays(_ file: String) throws {
    for test in try Self.cases(file) {
      let place: Comment = "\(file): \(test.name)"
      let jansson = try JSONTest.whole(test.text)
      if test.kind != "i" { #expect((jansson.message == nil) == (test.kind == "y"), place) }
      for usesScanner in [true, false] {
        let own = JSONTest.read(test.text, usesScanner: usesScanner)
        #expect(JSONTest.difference(own, jansson, test.text) == nil, place)
        // In pieces it is the same, with the same location.
        for size in [1, 3, 16] {
          #expect(
            JSONTest.readStream(test.text, usesScanner: usesScanner) { size } == own, place)
        }
        guard own.message != nil else { continue }
        #expect(own.line >= 1 && own.column >= 0 && own.offset >= 0, place)
        #expect(own.line <= 1 + test.text.filter { $0 == 0x0A }.count, place)
        #expect(own.offset <= test.text.count, place)
      }
      if let value = test.value {
        #expect(try JSONValue(parsing: String(decoding: test.text, as: UTF8.self)) == value, place)
      }
    }
  }

  /// What was accepted is written as text that reads as the same.
  @Test(arguments: files ?? [])
  func acceptedTextIsWritten(_ file: String) throws {
    for test in try Self.cases(file) {
      guard let value = test.value else { continue }
      #expect(try JSONValue(parsing: value.description) == value, "\(file): \(test.name)")
    }
  }
}
