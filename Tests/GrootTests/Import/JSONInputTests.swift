import Testing

import Groot

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What reads JSON does the same with every kind of input.
struct JSONInputTests {
  /// Calls `body` with each kind of input of one JSON value.
  private func forEachInput(of json: JSONValue, _ body: (String, JSONInput) throws -> Void) throws {
    let text = json.description
    try body("text", .text(text))
    try body("literal", "\(text)")
    try Array(text.utf8).withUnsafeBytes { try body("bytes", .bytes($0)) }
    let file = try StoreFile()
    try file.write(text)
    try body("file", .file(file.path))
    let source = try openPipe(with: text)
    defer { close(source) }
    try body("pipe", .file("/dev/fd/\(source)"))
    try body("value", .value(json))
    let tape = JSONTape()
    let loaded = JanssonValue(
      owning: try JanssonBridge.materialize(tape, index: try json.append(to: tape)))
    try loaded.borrow { try body("json_t", .jansson($0)) }
  }

  /// The end to read from of a pipe that has a text, and nothing more to come.
  private func openPipe(with text: String) throws -> CInt {
    var ends: [CInt] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { close(ends[1]) }
    #expect(write(ends[1], text, text.utf8.count) == text.utf8.count)
    return ends[0]
  }

  @Test(arguments: 0..<4)
  func importsAndSyncsAreTheSameForEveryKindOfInput(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(91_000 + seed))
    let first = Generated.people(12, &random)
    // Identifiers are not entries.
    let entries = (Generated.people(12, &random).arrayValue ?? []).filter {
      $0.objectValue != nil
    }
    var imports: [String] = []
    var syncs: [String] = []
    try forEachInput(of: first) { kind, input in
      let context = try Generated.context()
      var report = try context.importJSON(input, into: "Person").report
      report.issues = report.issues.map(\.withoutLine)
      imports.append("\(report.json) \(dump(context))")
      #expect(imports.last == imports.first, "\(kind)")
    }
    try forEachInput(of: .array(entries)) { kind, input in
      let context = try Generated.context()
      try context.importJSON(.value(first), into: "Person")
      var report = try context.sync("Person", with: input).report
      report.issues = report.issues.map(\.withoutLine)
      syncs.append("\(report.json) \(dump(context))")
      #expect(syncs.last == syncs.first, "\(kind)")
    }
    #expect(imports.count == 7 && syncs.count == 7)
  }

  @Test func fillingsAreTheSameForEveryKindOfInput() throws {
    var found: [String] = []
    try forEachInput(of: ["key": 2, "name": "Bo", "life": ["height": 1.5]]) { kind, input in
      let context = try Generated.context()
      let person = try context.importJSON(#"{"key": 1, "name": "Ada"}"#, into: "Person")[0]
      let report = try context.fill(person.id, from: input)
      found.append("\(report.json) \(dump(context))")
      #expect(try person["name"].stringValue == "Bo", "\(kind)")
      #expect(found.last == found.first, "\(kind)")
    }
    try forEachInput(of: [["key": 2, "name": "Bo"]]) { kind, input in
      let context = try Generated.context()
      let person = try context.importJSON(#"{"key": 1, "name": "Ada"}"#, into: "Person")[0]
      let before = dump(context)
      expectFailure(.wrongShape, "a fill takes one JSON object") {
        try context.fill(person.id, from: input)
      }
      #expect(dump(context) == before, "\(kind)")
    }
  }

  @Test func aMissingFileIsAFileErrorAndChangesNothing() throws {
    let context = try Generated.context()
    let person = try context.importJSON(#"{"key": 1, "name": "Ada"}"#, into: "Person")[0]
    let before = dump(context)
    let missing = JSONInput.file(try StoreFile().path)
    expectFailure(.fileError, "cannot open") { try context.importJSON(missing, into: "Person") }
    expectFailure(.fileError, "cannot open") { try context.sync("Person", with: missing) }
    expectFailure(.fileError, "cannot open") { try context.fill(person.id, from: missing) }
    #expect(dump(context) == before)
    #expect(try context.fetch(FetchRequest("Person")).count == 1)
  }
}

extension GrootIssue {
  /// The same without where in a text it is, which only texts have.
  fileprivate var withoutLine: GrootIssue {
    var issue = self
    (issue.line, issue.column, issue.offset) = (0, 0, -1)
    return issue
  }
}
