import Testing

@testable import Groot
@testable import GrootSQLite

/// Heroes with friends, a mentor, pupils and powers: the model of several chapters about stores.
enum Heroes {
  private static let document = """
    {"entities": {
      "Hero": {"userInfo": {"identityAttributes": "id"},
        "attributes": {
          "id": {"type": "integer64", "optional": true, "userInfo": {"JSONKeyPath": "id"}},
          "name": {"type": "string", "optional": true, "userInfo": {"JSONKeyPath": "name"}}},
        "relationships": {
          "friends": {"destination": "Hero", "toMany": true, "optional": true,
            "inverse": "friends", "userInfo": {"JSONKeyPath": "friends"}},
          "mentor": {"destination": "Hero", "optional": true, "inverse": "pupils",
            "userInfo": {"JSONKeyPath": "mentor"}},
          "pupils": {"destination": "Hero", "toMany": true, "optional": true, "ordered": true,
            "inverse": "mentor", "userInfo": {"JSONKeyPath": "pupils"}},
          "powers": {"destination": "Power", "toMany": true, "optional": true,
            "inverse": "heroes", "userInfo": {"JSONKeyPath": "powers"}}}},
      "Power": {"userInfo": {"identityAttributes": "name"},
        "attributes": {"name": {"type": "string", "userInfo": {"JSONKeyPath": "name"}}},
        "relationships": {"heroes": {"destination": "Hero", "toMany": true, "optional": true,
          "inverse": "powers"}}}}}
    """

  static func mapping(_ patch: JSONValue = [:]) throws -> Mapping {
    let document = CaseComparison.patched(try JSONValue(parsing: Self.document), patch)
    return try Mapping(model: ManagedObjectModel(document: document))
  }

  /// A context and its store, which does not wait long for others.
  static func open(
    _ file: StoreFile, _ mapping: Mapping? = nil
  ) throws -> (ManagedObjectContext, SQLiteStore) {
    let mapping = try mapping ?? Self.mapping()
    let schema = StoreSchema(mapping)
    var options = SQLiteStoreOptions()
    options.busyTimeout = 50
    let store = try SQLiteStore(file.path, schema: schema, options: options)
    return (try ManagedObjectContext(mapping: mapping, schema: schema, store: store), store)
  }

  static func export(_ context: ManagedObjectContext) throws -> String {
    let request = FetchRequest("Hero", sort: [.ascending("id")])
    return try context.exportText(context.fetch(request))
  }
}

/// Items of two kinds, which other items name before a record brings them.
enum Items {
  static let document: JSONValue = [
    "entities": [
      "Item": [
        "userInfo": ["identityAttributes": "id"],
        "attributes": ["id": ["type": "integer64", "userInfo": ["JSONKeyPath": "id"]]],
        "relationships": [
          "next": [
            "destination": "Item", "optional": true, "inverse": "before",
            "userInfo": ["JSONKeyPath": "next"],
          ],
          "before": [
            "destination": "Item", "toMany": true, "optional": true, "inverse": "next",
          ],
          "toy": ["destination": "Toy", "optional": true, "userInfo": ["JSONKeyPath": "toy"]],
          "box": ["destination": "Box", "optional": true, "userInfo": ["JSONKeyPath": "box"]],
        ],
      ],
      "Toy": [
        "parent": "Item",
        "attributes": [
          "name": [
            "type": "string", "optional": true, "default": "a long default of a name",
            "userInfo": ["JSONKeyPath": "name"],
          ]
        ],
        "relationships": [
          "parts": [
            "destination": "Item", "toMany": true, "optional": true,
            "userInfo": ["JSONKeyPath": "parts"],
          ]
        ],
      ],
      "Box": [
        "parent": "Item",
        "attributes": [
          "size": ["type": "integer64", "optional": true, "userInfo": ["JSONKeyPath": "size"]]
        ],
      ],
    ]
  ]
}

extension ManagedObjectContext {
  /// The hero of an identity.
  func hero(_ id: Int64) throws -> ManagedObject {
    try #require(fetch(FetchRequest("Hero", where: ["id": .integer(id)])).first)
  }
}

extension StoreFile {
  /// A context of a model's document on this file.
  func context(_ document: JSONValue) throws -> ManagedObjectContext {
    let mapping = try Mapping(model: ManagedObjectModel(document: document))
    return try ManagedObjectContext(mapping: mapping, storePath: path)
  }

  /// Does what another program might do.
  func execute(_ sql: String) throws {
    try database().execute(sql)
  }
}
