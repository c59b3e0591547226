import Foundation
import GrootSQLite
import Testing

import Groot

/// The shared cases of Tests/Cases, which the C and the Python tests run too.
struct CaseTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Cases")

  /// The cases as `topic/name`.
  static let names: [String] = {
    let files = FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? []
    return files.filter { $0.hasSuffix(".json") && !$0.hasPrefix("models/") }.sorted()
  }()

  static func json(_ name: String) throws -> JSONValue {
    try JSONValue(
      parsing: String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8))
  }

  @Test func thereAreCases() { #expect(Self.names.count >= 312) }

  @Test(arguments: names, [true, false])
  func eachCaseHoldsInMemory(name: String, usesScanner: Bool) throws {
    _ = try execute(name, usesScanner) { ManagedObjectContext(mapping: $0) }
  }

  /// The same in a context with a store, which is read again at the end.
  @Test(arguments: names, StoreKind.present)
  func eachCaseHoldsInAStore(name: String, kind: StoreKind) throws {
    let place = try kind.place()
    let found: CaseRunner?
    do {
      found = try execute(name, true) { try place.context($0) }
    } catch let error as GrootError
      where kind == .postgreSQL && Self.beyondPostgreSQL.contains(name)
    {
      #expect(error.status == .outOfRange, "\(name): \(error)")
      return
    }
    #expect(kind == .file || !Self.beyondPostgreSQL.contains(name))
    guard let runner = found else { return }
    do {
      try runner.context.save()
    } catch {
      // What the case leaves may not be valid, or have equal identities; all else is kept.
      #expect((60..<100).contains(error.status.rawValue), "\(name): \(error)")
      try runner.context.rollback()
    }
    let reopened = try place.context(runner.context.mapping)
    #expect(reopened.brokenInvariants() == [])
    try runner.compare(with: reopened)
  }

  /// The cases that save a NUL, or a day before the calendar of PostgreSQL.
  private static let beyondPostgreSQL: Set = ["01-objects/days.json", "07-texts/nul-in-text.json"]

  /// Runs a case; nil when it is about errors of its model or mapping.
  private func execute(
    _ name: String, _ usesScanner: Bool, _ makeContext: (Mapping) throws -> ManagedObjectContext
  ) throws -> CaseRunner? {
    let test = try Self.json(name)
    let model = try #require(test["model"])
    let named = try model.stringValue.map { try Self.json("models/\($0).json") } ?? model
    let document = CaseComparison.patched(named, test["change"] ?? [:])
    if let expected = test["modelError"] {
      checkErrors(expected) { _ = try ManagedObjectModel(document: document) }
      return nil
    }
    let made = try ManagedObjectModel(document: document)
    let registry = try CaseRegistry.make(test)
    func mapping(_ options: JSONValue?, _ dialect: String) throws -> Mapping {
      try Mapping(
        model: made, registry: registry, dialect: #require(Mapping.Dialect(rawValue: dialect)),
        isImplicit: options?["implicit"] == true,
        nulls: options?["nulls"] == "omit" ? .omit : .write,
        roots: options?["roots"].map { try NameMap(json: $0) } ?? [:], rules: options?["rules"])
    }
    let dialect = test["dialect"]?.stringValue ?? "groot"
    if let expected = test["mappingError"] {
      checkErrors(expected) { _ = try mapping(test["mappingOptions"], dialect) }
      return nil
    }
    var runner = CaseRunner(
      context: try makeContext(mapping(test["mappingOptions"], dialect)),
      usesScanner: usesScanner)
    for (name, options) in test["mappings"]?.objectValue?.members ?? [] {
      runner.mappings[name] = try mapping(options, options["dialect"]?.stringValue ?? dialect)
    }
    let steps = try #require(test["steps"]?.arrayValue)
    #expect(!steps.isEmpty)
    for (index, step) in steps.enumerated() {
      runner.place = "\(name), step \(index + 1)"
      try runner.run(step)
      #expect(runner.context.brokenInvariants() == [], runner.place)
    }
    return runner
  }

  private func checkErrors(_ expected: JSONValue, _ body: () throws -> Void) {
    do {
      try body()
      Issue.record("no error")
    } catch let error as GrootError {
      #expect(Int64(error.status.rawValue) == expected["status"]?.integerValue)
      for message in expected["messages"]?.arrayValue ?? [] {
        let part = message.stringValue ?? "?"
        #expect(error.issues.contains { $0.description.contains(part) }, "\(part) in \(error)")
      }
    } catch {
      Issue.record("\(error)")
    }
  }
}
