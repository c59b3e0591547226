import Foundation
import Testing

@testable import Groot

/// The shared cases of Tests/Cases, which the C and the Python tests run too.
struct CaseTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Cases")

  /// The cases as `dialect/name`.
  static let names: [String] = {
    let files = FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? []
    return files.filter { $0.hasSuffix(".json") && !$0.hasPrefix("models/") }.sorted()
  }()

  static func json(_ name: String) throws -> JSONValue {
    try JSONValue(
      parsing: String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8))
  }

  @Test func thereAreCases() { #expect(Self.names.count >= 60) }

  @Test(arguments: names, [true, false])
  func run(name: String, usesScanner: Bool) throws {
    let test = try Self.json(name)
    let model = try #require(test["model"])
    let named = try model.stringValue.map { try Self.json("models/\($0).json") } ?? model
    let document = CaseComparison.patched(named, test["change"] ?? [:])
    if let expected = test["modelError"] {
      checkFault(expected) { _ = try ManagedObjectModel(document: document) }
      return
    }
    let made = try ManagedObjectModel(document: document)
    let registry = try CaseRegistry.make(test)
    func mapping(_ options: JSONValue?, _ dialect: String) throws -> Mapping {
      try Mapping(
        model: made, registry: registry, dialect: #require(Mapping.Dialect(rawValue: dialect)),
        isImplicit: options?["implicit"] == true, rules: options?["rules"])
    }
    let folder = String(name.prefix { $0 != "/" })
    if let expected = test["mappingError"] {
      checkFault(expected) { _ = try mapping(test["mappingOptions"], folder) }
      return
    }
    var runner = CaseRunner(
      context: ManagedObjectContext(mapping: try mapping(test["mappingOptions"], folder)),
      usesScanner: usesScanner)
    for (name, options) in test["mappings"]?.objectValue?.members ?? [] {
      runner.mappings[name] = try mapping(options, options["dialect"]?.stringValue ?? folder)
    }
    let steps = try #require(test["steps"]?.arrayValue)
    #expect(!steps.isEmpty)
    for (index, step) in steps.enumerated() {
      runner.place = "\(name), step \(index + 1)"
      try runner.run(step)
      #expect(runner.context.brokenInvariants() == [], runner.place)
    }
  }

  private func checkFault(_ expected: JSONValue, _ body: () throws -> Void) {
    do {
      try body()
      Testing.Issue.record("no error")
    } catch let error as GrootError {
      #expect(Int64(error.status.rawValue) == expected["status"]?.integerValue)
      for message in expected["messages"]?.arrayValue ?? [] {
        let part = message.stringValue ?? "?"
        #expect(error.issues.contains { $0.description.contains(part) }, "\(part) in \(error)")
      }
    } catch {
      Testing.Issue.record("\(error)")
    }
  }
}
