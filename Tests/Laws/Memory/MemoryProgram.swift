import GrootSQLite
import Testing

import Groot

/// A program of imports, changes, exports and saves, on more objects than what anything begins with
/// has room for.
enum MemoryProgram {
  /// A part that is done whole or not at all; it tells what came of it.
  struct Step {
    let name: String
    let run: (ManagedObjectContext) throws -> String
  }

  static func mapping() throws -> Mapping {
    try Mapping(model: ManagedObjectModel(document: Generated.document))
  }

  /// The steps; those for a store have an import in batches.
  static func steps(withStore: Bool) -> [Step] {
    var steps = [
      Step(name: "import a text", run: importText),
      Step(name: "save", run: save),
      Step(name: "import in pieces") { context in
        var options = ImportOptions()
        options.listsChanges = true
        options.listsAccess = true
        let stream = try context.beginImport(into: "Person", options: options)
        do {
          // More than one piece for a record, and strings that cannot stay in the text.
          let pieces = forPieces.split(separator: "g", omittingEmptySubsequences: false)
          for (index, piece) in pieces.enumerated() {
            try stream.write(index == 0 ? String(piece) : "\\u0067" + piece)
          }
          return tell(try stream.finish())
        } catch {
          stream.cancel()
          throw error
        }
      },
      Step(name: "import and skip") { context in
        var options = ImportOptions()
        options.errorMode = .skip
        options.maximumIssues = 1000
        return tell(try context.importJSON(.value(forSkipping), into: "Person", options: options))
      },
      Step(name: "dry run") { context in
        var options = ImportOptions()
        options.isDryRun = true
        return tell(
          try context.importJSON(.text(forDryRun), into: "Person", options: options))
      },
      Step(name: "synchronize") { context in
        var options = SyncOptions()
        options.listsChanges = true
        return tell(
          try context.sync("Person", with: .text(forSynchronization), options: options))
      },
      Step(name: "fill") { context in
        let record: JSONValue = [
          "key": 7, "name": .string(String(repeating: "filled ", count: 900)),
          "friends": .array((1...60).map { .integer($0) }),
        ]
        return tell(try context.fill(person(7, context), from: .value(record)))
      },
      Step(name: "export", run: everything),
      Step(name: "write") { context in
        var text = ""
        let count = try context.export(everybody) { text += String(decoding: $0, as: UTF8.self) }
        return "\(count) \(text)"
      },
      Step(name: "read columns") { context in
        let objects = try context.fetchIDs(everybody)
        let names = try context.column("name", of: "Person", objects: objects)
        let wealth = try context.column("wealth", of: "Person", objects: objects)
        return "\(names.nullCount) \(names.offsets?.last ?? 0) \(Array(wealth.values))"
      },
      Step(name: "ask") { context in
        let named = FetchRequest("Person", where: ["name": ["contains": "long"]])
        let key = FetchRequest.SortKey("employer.title")
        return "\(try context.count(named)) \(try context.distinct(key, request: named))"
      },
      Step(name: "insert") { context in
        "\(context.status(of: try context.insert("Person").id))"
      },
      Step(name: "set a key") { context in
        let nameless = try context.fetchIDs(FetchRequest("Person", where: ["key": nil]))
        for person in nameless { try context.setValue(.integer(999), for: "key", of: person) }
        return "\(nameless.count)"
      },
      Step(name: "set a text") { context in
        let text = String(repeating: "another name ", count: 1500)
        try context.setValue(.string(text), for: "name", of: person(7, context))
        return try "\(context.value("name", of: person(7, context)))"
      },
      Step(name: "set a target") { context in
        let (child, parent) = (try person(7, context), try person(8, context))
        try context.setTarget(parent, for: "parent", of: child)
        return "\(try context.target("parent", of: child) == parent)"
      },
      Step(name: "set members") { context in
        let person = try person(7, context)
        let members = try context.fetchIDs(everybody)
        try context.setMembers(members, for: "friends", of: person)
        return "\(try context.memberCount("friends", of: person)) of \(members.count)"
      },
      Step(name: "add") { context in
        let (one, other) = (try person(8, context), try person(9, context))
        try context.add(one, to: "children", of: other)
        return "\(try context.contains(one, in: "children", of: other))"
      },
      Step(name: "remove") { context in
        let (one, other) = (try person(8, context), try person(9, context))
        try context.remove(one, from: "children", of: other)
        return "\(try context.contains(one, in: "children", of: other))"
      },
      Step(name: "delete") { context in
        let person = try person(7, context)
        try context.delete(person)
        return "\(context.status(of: person))"
      },
      Step(name: "count changes") { context in
        let changes = try context.changes
        return "\(changes.inserted) \(changes.updated) \(changes.deleted)"
      },
      Step(name: "save again", run: save),
      Step(name: "refresh") { context in
        try context.refresh()
        return ""
      },
      Step(name: "import after that", run: importText),
      Step(name: "roll back") { context in
        try context.rollback()
        return ""
      },
    ]
    if withStore {
      steps.append(
        Step(name: "import in batches") { context in
          var options = ImportOptions()
          options.batchSize = 8
          return tell(
            try context.importJSON(.text(forBatches), into: "Person", options: options))
        })
    }
    return steps
  }

  // MARK: Records

  /// People, with values that are kept as JSON, and texts that are too long for a record.
  private static func people(_ seed: UInt64, _ count: Int) -> JSONValue {
    var random = SeededGenerator(seed: seed)
    let people = Generated.people(count, &random).arrayValue ?? []
    return .array(
      people.enumerated().map { index, person in
        guard var object = person.objectValue else { return person }
        let length = index % 16 == 0 ? index * 8 : 1
        object["name"] = .string(String(repeating: "long \"name\" ", count: 1 + length))
        object["notes"] = ["index": .integer(Int64(index)), "all": .array([1, 2.5, "three"])]
        return .object(object)
      })
  }

  private static let forImport = people(1, 40).description
  private static let forPieces = people(2, 10).description
  private static let forSkipping: JSONValue = .array(
    (people(3, 12).arrayValue ?? []) + [["key": 1, "active": "perhaps"], ["key": "none"]])
  private static let forDryRun = people(4, 12).description
  private static let forSynchronization = people(5, 25).description
  private static let forBatches = people(6, 25).description

  static func tell(_ result: ImportResult) -> String {
    tell(result.report) + ", \(result.count) objects"
  }

  private static func tell(_ report: ImportReport) -> String {
    "\(report.inserted) inserted, \(report.updated) updated, \(report.unchanged) unchanged, "
      + "\(report.deleted) deleted, \(report.skipped) skipped, \(report.changes.count) changes, "
      + "\(report.issues.count) issues"
  }

  private static func importText(_ context: ManagedObjectContext) throws -> String {
    tell(try context.importJSON(.text(forImport), into: "Person"))
  }

  // MARK: Reading

  private static let everybody = FetchRequest("Person", sort: [.ascending("key")])

  /// All objects, as text in which no order is left to chance.
  static func everything(_ context: ManagedObjectContext) throws -> String {
    var options = ExportOptions()
    options.depth = 1
    let companies = FetchRequest("Company", sort: [.ascending("key")])
    return try context.exportText(context.fetch(everybody), options: options)
      + context.exportText(context.fetch(companies), options: options)
  }

  private static func person(_ key: Int, _ context: ManagedObjectContext) throws -> ObjectID {
    let request = FetchRequest("Person", where: ["key": .integer(Int64(key))])
    return try #require(context.fetchIDs(request).first)
  }

  private static func save(_ context: ManagedObjectContext) throws -> String {
    try context.save()
    return ""
  }
}
