import Groot

/// One thing that a program does to a context; objects are named by when they were made.
enum LawAction {
  case insert(entity: String)
  case delete(Int)
  case setValue(Int, String, Value)
  case setTarget(Int, String, Int?)
  case add(Int, String, Int)
  case remove(Int, String, Int)
  case setMembers(Int, String, [Int])
  case fill(Int, JSONValue)
  case importRecords(String, JSONValue, LawImport)
  case sync(String, JSONValue, LawSync)
  case value(Int, String)
  case target(Int, String)
  case members(Int, String)
  case memberCount(Int, String)
  case contains(Int, String, Int)
  case status(Int)
  case export([Int])
  case fetch(FetchRequest)
  case count(FetchRequest)
  case distinct(FetchRequest.SortKey, FetchRequest)
  case aggregate(AggregateRequest)
  case column(String, String, [Int])

  /// The objects that it is about.
  var objects: [Int] {
    switch self {
    case .delete(let object), .setValue(let object, _, _), .fill(let object, _),
      .value(let object, _), .target(let object, _), .members(let object, _),
      .memberCount(let object, _), .status(let object):
      [object]
    case .setTarget(let object, _, let target): [object] + (target.map { [$0] } ?? [])
    case .add(let object, _, let member), .remove(let object, _, let member),
      .contains(let object, _, let member):
      [object, member]
    case .setMembers(let object, _, let members): [object] + members
    case .export(let objects), .column(_, _, let objects): objects
    case .sync(_, _, let sync): sync.parent.map { [$0] } ?? []
    case .insert, .importRecords, .fetch, .count, .distinct, .aggregate: []
    }
  }
}

/// The form in which a law imports JSON.
enum LawInput {
  case value
  case pieces
  /// A text so long that a store is read as a whole before it.
  case longText

  /// Returns the input of JSON in this form; that of pieces is a value.
  func input(_ json: JSONValue) -> JSONInput {
    switch self {
    case .value, .pieces: .value(json)
    case .longText: .text(json.description + String(repeating: " ", count: 40_000))
    }
  }
}

/// The options of an import, and the form of its JSON.
struct LawImport {
  var options = ImportOptions()
  var form = LawInput.value

  init(_ random: inout SeededGenerator) {
    options.listsChanges = true
    if random.chance(30) { options.errorMode = random.chance(70) ? .skip : .collect }
    options.isDryRun = random.chance(6)
    options.createsObjects = !random.chance(6)
    options.listsAccess = random.chance(15)
    if random.chance(15) { form = .pieces }
    for (name, values) in [
      ("missing", ["clear"]), ("null", ["keep", "default"]), ("shape", ["box", "ignore"]),
      ("assignment", ["union", "deleteMissing", "deleteMissingObjects"]),
      ("unknownIdentifier", ["skip", "keep", "error"]), ("invalid", ["keep", "clear"]),
      ("conversion", ["lenient"]),
    ] where random.chance(12) {
      options.policies[name] = random.pick(values)
    }
  }
}

/// The options of a synchronization; its parent is named by when it was made.
struct LawSync {
  var options = SyncOptions()
  var form = LawInput.value
  var parent: Int?

  func options(_ id: (Int) -> ObjectID) -> SyncOptions {
    var options = options
    options.parent = parent.map(id)
    return options
  }
}
