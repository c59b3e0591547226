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

  /// The same objects, in the same order, in some contexts; each has a number.
  struct Driver {
    let contexts: [ManagedObjectContext]
    var random: SeededGenerator
    var next: Int64 = 1
    /// By entity, the objects of each context.
    private var objects: [String: [[ManagedObject]]] = [:]

    /// Whether the stores can hold a value.
    private let isStorable: (Value) -> Bool

    init(
      _ contexts: [ManagedObjectContext], seed: Int,
      isStorable: @escaping (Value) -> Bool = { _ in true }
    ) {
      self.contexts = contexts
      self.isStorable = isStorable
      random = SeededGenerator(seed: seed)
    }

    mutating func insert() throws {
      let entities = ["Node", "Node", "Leaf", "Bud", "Twig", "Tag", "Badge"]
      let entity = entities[random.below(entities.count)]
      let made = try contexts.map { try $0.insert(entity) }
      for object in made { try object.set("number", to: .integer(next)) }
      next += 1
      let root = ["Tag", "Badge"].contains(entity) ? entity : "Node"
      objects[root, default: []].append(made)
      try fill(made)
    }

    /// Gives an object other values and links.
    mutating func change() throws {
      guard let made = object(of: ["Node", "Node", "Node", "Tag", "Badge"]) else { return }
      try fill(made)
    }

    mutating func delete() throws {
      let root = random.pick(["Node", "Tag", "Badge"])
      guard let count = objects[root]?.count, count > 3 else { return }
      let place = random.below(count)
      guard let gone = objects[root]?.remove(at: place) else { return }
      for (context, object) in zip(contexts, gone) { try context.delete(object.id) }
    }

    private mutating func object(of roots: [String]) -> [ManagedObject]? {
      let root = roots[random.below(roots.count)]
      return random.one(of: objects[root] ?? [])
    }

    private mutating func fill(_ made: [ManagedObject]) throws {
      let model = contexts[0].model
      let resolved = model.resolved[try model.index(of: made[0].entityName())]
      for name in resolved.propertyNames.sorted() where name != "number" {
        guard !random.once(in: 3) else { continue }
        let property = try model.property(named: name, of: resolved.index)
        if let attribute = property.attribute {
          let isNull = random.once(in: 5)
          var value = isNull ? .null : random.edge(of: attribute.type)
          if !isStorable(value) { value = .null }
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
      let count = relationship.isToMany ? random.number(in: 0...3) : 1
      let others = try (0..<count).compactMap { _ in object(of: [root]) }
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
