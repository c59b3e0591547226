import Groot

/// A model of works, people and reviews in one of the dialects, for feeds whose records come in any order.
///
/// `Thing` is the root of most, and a mapper says what a record is. A review is identified by its work
/// and its person.
struct OrderModel {
  enum Dialect: CaseIterable {
    case groot, hyper, kvc
  }

  let dialect: Dialect
  let isAbstract: Bool
  /// Whether a poem must have an author.
  let requiresAuthor: Bool
  let mapping: Mapping

  init(_ random: inout SeededGenerator) throws {
    dialect = random.one(of: Dialect.allCases) ?? .groot
    isAbstract = random.flip()
    requiresAuthor = random.once(in: 4)
    let model = try ManagedObjectModel(
      document: Self.document(dialect, isAbstract: isAbstract, requiresAuthor: requiresAuthor))
    var registry = TransformerRegistry()
    registry.setEntityMapper("Kind") { record in record["kind"]?.stringValue }
    switch dialect {
    case .groot: mapping = try Mapping(model: model, registry: registry)
    case .hyper: mapping = try Mapping(model: model, registry: registry, dialect: .hyper)
    case .kvc:
      mapping = try Mapping(model: model, registry: registry, dialect: .kvc, rules: Self.rules)
    }
  }

  /// Whether references to people are by their names, which identify nothing.
  var namesPeople: Bool { dialect == .kvc }
  /// Whether a review has an identity: conventions know one attribute only.
  var hasReviews: Bool { dialect == .groot }

  /// The key of a to-one that holds an identifier.
  func key(toOne name: String) -> String { dialect == .hyper ? name + "_id" : name }
  func key(toMany name: String) -> String { dialect == .hyper ? name + "_ids" : name }

  private static let rules: JSONValue = [
    "things": [
      "Thing.id": [
        "id": "id", "title": "title", "next": "next.id", "related": "related.id",
      ]
    ],
    "works": [
      "Work.id": [
        "id": "id", "title": "title", "next": "next.id", "related": "related.id", "year": "year",
        "author": "author.name",
      ]
    ],
    "people": [
      "Person.id": [
        "id": "id", "title": "title", "next": "next.id", "related": "related.id", "name": "name",
        "friends": "friends.name", "boss": "boss.name", "favourite": "favourite.id",
      ]
    ],
  ]

  private static func document(
    _ dialect: Dialect, isAbstract: Bool, requiresAuthor: Bool
  ) -> JSONValue {
    func attribute(_ name: String, _ type: String, _ value: JSONValue? = nil) -> JSONValue {
      var attribute: JSONObject = [
        "type": .string(type), "optional": true, "userInfo": ["JSONKeyPath": .string(name)],
      ]
      if let value { attribute["default"] = value }
      return .object(attribute)
    }
    func side(
      _ name: String?, _ destination: String, _ inverse: String?, _ members: JSONObject
    ) -> JSONValue {
      var side = members
      side["destination"] = .string(destination)
      side["optional"] = side["optional"] ?? true
      if let name { side["userInfo"] = ["JSONKeyPath": .string(name)] }
      if let inverse { side["inverse"] = .string(inverse) }
      return .object(side)
    }
    func toOne(
      _ name: String, _ destination: String, _ inverse: String?, optional: Bool = true
    ) -> JSONValue { side(name, destination, inverse, ["optional": .boolean(optional)]) }
    func toMany(
      _ name: String?, _ destination: String, _ inverse: String?, ordered: Bool = false
    ) -> JSONValue {
      side(name, destination, inverse, ["toMany": true, "ordered": .boolean(ordered)])
    }
    let annotations: JSONObject =
      dialect == .hyper
      ? ["groot.entityMapper": "Kind"]
      : ["identityAttributes": "id", "entityMapperName": "Kind"]
    return [
      "entities": [
        "Thing": [
          "abstract": .boolean(isAbstract), "userInfo": .object(annotations),
          "attributes": [
            "id": attribute("id", "integer64"), "title": attribute("title", "string"),
          ],
          "relationships": [
            "next": toOne("next", "Thing", "previous"),
            "previous": toMany(nil, "Thing", "next"),
            "related": toMany("related", "Thing", nil, ordered: true),
          ],
        ],
        "Work": [
          "parent": "Thing", "userInfo": .object(annotations),
          "attributes": ["year": attribute("year", "integer32", 1900)],
          "relationships": [
            "author": toOne("author", "Person", "works"),
            "reviews": toMany("reviews", "Review", "work"),
          ],
        ],
        "Novel": [
          "parent": "Work", "userInfo": .object(annotations),
          "attributes": ["pages": attribute("pages", "integer64", 100)],
          "relationships": [
            "sequel": toOne("sequel", "Novel", "prequel"),
            "prequel": toOne("prequel", "Novel", "sequel"),
          ],
        ],
        "Poem": [
          "parent": "Work", "userInfo": .object(annotations),
          "attributes": ["form": attribute("form", "string", "a form of more than twelve letters")],
          "relationships": [
            "poet": toOne("poet", "Person", "poems", optional: !requiresAuthor)
          ],
        ],
        "Person": [
          "parent": "Thing", "userInfo": .object(annotations),
          "attributes": ["name": attribute("name", "string")],
          "relationships": [
            "works": toMany(nil, "Work", "author"), "poems": toMany(nil, "Poem", "poet"),
            "friends": toMany("friends", "Person", "friends"),
            "boss": toOne("boss", "Person", "staff"), "staff": toMany(nil, "Person", "boss"),
            "favourite": toOne("favourite", "Novel", nil),
          ],
        ],
        "Author": [
          "parent": "Person", "userInfo": .object(annotations),
          "attributes": ["prize": attribute("prize", "string")],
        ],
        "Review": [
          "userInfo": ["identityAttributes": "work, person"],
          "attributes": ["stars": attribute("stars", "integer16")],
          "relationships": [
            "work": toOne("work", "Work", "reviews"),
            "person": toOne("person", "Person", nil),
          ],
        ],
      ]
    ]
  }
}
