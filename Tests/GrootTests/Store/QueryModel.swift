@testable import Groot

/// A model with all types and all kinds of relationships, and objects at random.
enum QueryModel {
  static let document: JSONValue = [
    "entities": [
      "Node": [
        "attributes": [
          "number": ["type": "integer64", "optional": true],
          "short": ["type": "integer16", "optional": true],
          "real": ["type": "double", "optional": true],
          "amount": ["type": "decimal", "optional": true],
          "text": ["type": "string", "optional": true],
          "link": ["type": "uri", "optional": true],
          "day": ["type": "date", "optional": true],
          "born": ["type": "day", "optional": true],
          "mark": ["type": "uuid", "optional": true],
          "data": ["type": "binary", "optional": true],
          "flag": ["type": "boolean", "optional": true],
          "json": ["type": "transformable", "optional": true],
          "passing": ["type": "string", "optional": true, "transient": true],
        ],
        "relationships": [
          "parent": toOne("Node", "children"),
          "children": toMany("Node", "parent", isOrdered: true),
          "spouse": toOne("Node", "spouse"),
          "friends": toMany("Node", "friends"),
          "tags": toMany("Tag", "nodes", isOrdered: true),
          "badge": toOne("Badge", "owner"),
          "likes": ["destination": "Tag", "toMany": true, "optional": true],
          "home": ["destination": "Tag", "optional": true],
        ],
      ],
      "Leaf": ["parent": "Node", "attributes": ["extra": ["type": "string", "optional": true]]],
      "Bud": [
        "parent": "Leaf",
        "relationships": ["twigs": ["destination": "Twig", "toMany": true, "optional": true]],
      ],
      "Twig": [
        "parent": "Node", "attributes": ["extra": ["type": "float", "optional": true]],
      ],
      "Tag": [
        "attributes": [
          "number": ["type": "integer64", "optional": true],
          "text": ["type": "string", "optional": true],
        ],
        "relationships": ["nodes": toMany("Node", "tags")],
      ],
      "Badge": [
        "attributes": [
          "number": ["type": "integer64", "optional": true],
          "amount": ["type": "decimal", "optional": true],
        ],
        "relationships": ["owner": toOne("Node", "badge")],
      ],
    ]
  ]

  private static func toOne(_ destination: String, _ inverse: String) -> JSONValue {
    ["destination": .string(destination), "inverse": .string(inverse), "optional": true]
  }

  private static func toMany(
    _ destination: String, _ inverse: String, isOrdered: Bool = false
  ) -> JSONValue {
    [
      "destination": .string(destination), "inverse": .string(inverse), "optional": true,
      "toMany": true, "ordered": .boolean(isOrdered),
    ]
  }

  static func mapping() throws -> Mapping {
    try Mapping(model: ManagedObjectModel(document: document))
  }

  /// A value of a type, out of few, so that objects share them.
  static func value(_ type: AttributeType, _ random: inout SeededGenerator) throws -> Value {
    func pick<Element>(_ elements: [Element]) -> Element {
      elements[Int.random(in: 0..<elements.count, using: &random)]
    }
    switch type {
    case .integer16: return .integer(pick([-3, 0, 1, 2, 7]))
    case .integer32, .integer64: return .integer(pick([.min, -1, 0, 5, 10, 20, .max]))
    case .double: return .real(pick([-0.0, 0.0, 1.5, -2, 1e300, 5e-324]))
    case .float: return .real(pick([-0.0, 0.5, -2]))
    case .boolean: return .boolean(pick([true, false]))
    case .decimal:
      let text = pick(["0", "1.5", "-1.5", "1e20", "1e-20", "12345678901234567890.01", "10", "9"])
      return DecimalNumber(text).map(Value.decimal) ?? .null
    case .string:
      return .string(
        pick(["", "a", "A", "ab", "aB", "ä", "Ä", "a\0b", "a\0C", "%", "x*y?", "'\"", "\\", "日本"]))
    case .uri: return .uri(pick(["http://a.b", "HTTP://A.B", "file:///x"]))
    case .date: return .date(Timestamp(microseconds: pick([-1, 0, 1_500_000, 1_000_000_000_000])))
    case .day:
      let days: Int64 = pick([-4_400_000, -720_000, -719_528, -1, 0, 19_800, 2_932_896, 2_932_897])
      return CalendarDay(daysSinceEpoch: days).map(Value.day) ?? .null
    case .uuid:
      return .uuid(UUIDValue(high: pick([1, .max, 0xAB00_0000_0000_0000]), low: pick([0, .max])))
    case .binary: return .binary(pick([[], [0], [1], [0, 1], [255]]))
    case .transformable, .composite: return .json(pick([["a": 1, "b": [2.5]], [1], "x", true]))
    }
  }

  /// The same objects, in the same order, in some contexts; each has a number.
  struct Driver {
    let contexts: [ManagedObjectContext]
    var random: SeededGenerator
    var next: Int64 = 1
    /// By entity, the objects of each context.
    private var objects: [String: [[ManagedObject]]] = [:]

    init(_ contexts: [ManagedObjectContext], seed: Int) {
      self.contexts = contexts
      random = SeededGenerator(seed: UInt64(seed))
    }

    mutating func insert() throws {
      let entities = ["Node", "Node", "Leaf", "Bud", "Twig", "Tag", "Badge"]
      let entity = entities[Int.random(in: 0..<entities.count, using: &random)]
      let made = try contexts.map { try $0.insert(entity) }
      for object in made { try object.set("number", to: .integer(next)) }
      next += 1
      let root = ["Tag", "Badge"].contains(entity) ? entity : "Node"
      objects[root, default: []].append(made)
      try fill(made)
    }

    /// Gives an object other values and links.
    mutating func change() throws {
      guard let made = pick(["Node", "Node", "Node", "Tag", "Badge"]) else { return }
      try fill(made)
    }

    mutating func delete() throws {
      let root = ["Node", "Tag", "Badge"].randomElement(using: &random) ?? "Node"
      guard let count = objects[root]?.count, count > 3 else { return }
      let place = Int.random(in: 0..<count, using: &random)
      guard let gone = objects[root]?.remove(at: place) else { return }
      for (context, object) in zip(contexts, gone) { try context.delete(object.id) }
    }

    private mutating func pick(_ roots: [String]) -> [ManagedObject]? {
      let root = roots[Int.random(in: 0..<roots.count, using: &random)]
      return objects[root]?.randomElement(using: &random)
    }

    private mutating func fill(_ made: [ManagedObject]) throws {
      let model = contexts[0].model
      let resolved = model.resolved[try model.index(of: made[0].entityName())]
      for name in resolved.propertyNames.sorted() where name != "number" {
        guard Int.random(in: 0..<3, using: &random) > 0 else { continue }
        let property = try model.property(named: name, of: resolved.index)
        if let attribute = property.attribute {
          let isNull = Int.random(in: 0..<5, using: &random) == 0
          let value = isNull ? .null : try QueryModel.value(attribute.type, &random)
          for object in made { try object.set(name, to: value) }
        } else if let relationship = property.relationship {
          try relate(made, name, relationship)
        }
      }
    }

    private mutating func relate(
      _ made: [ManagedObject], _ name: String, _ relationship: RelationshipDescription
    ) throws {
      let isTwigs = relationship.destination == "Twig"
      let root = isTwigs ? "Node" : relationship.destination
      let count = relationship.isToMany ? Int.random(in: 0...3, using: &random) : 1
      let others = try (0..<count).compactMap { _ in pick([root]) }
        .filter { try !isTwigs || $0[0].entityName() == "Twig" }
      for (place, object) in made.enumerated() {
        if relationship.isToMany {
          try object.set(name, to: others.map { $0[place] })
        } else {
          try object.set(name, to: others.first?[place])
        }
      }
    }
  }
}
