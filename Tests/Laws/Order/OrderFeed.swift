import Groot

/// Records that say the same whatever their order: no two of them say different things of one property.
struct OrderFeed {
  let policy: String?
  let skipsWrong: Bool
  private(set) var records: [JSONValue] = []
  private let model: OrderModel
  private var random: SeededGenerator
  private var things: [Thing] = []

  /// The value and the name of a thing.
  private struct Thing {
    let id: Int
    let kind: String
    /// Whether a record brings it.
    let comes: Bool
    var name: String { "name \(id)" }
    var isWork: Bool { ["Novel", "Poem", "Work"].contains(kind) }
    var isPerson: Bool { ["Person", "Author"].contains(kind) }
  }

  init(_ model: OrderModel, _ random: inout SeededGenerator) {
    policy = random.pick([nil, "placeholder", "skip", "keep"])
    skipsWrong = random.once(in: 4)
    self.model = model
    self.random = random
    records = makeRecords()
    random = self.random
  }

  private mutating func makeRecords() -> [JSONValue] {
    let count = random.number(in: 2...6)
    things = (1...count).map { id in
      let kinds = ["Novel", "Novel", "Poem", "Person", "Author", "Author"]
      return Thing(
        id: id, kind: random.pick(kinds),
        comes: !random.once(in: 8))
    }
    let friends = self.friends()
    var records: [JSONValue] = []
    for thing in things where thing.comes {
      let full = record(thing, friends)
      if random.chance(20) {
        // Said in two records, each property once.
        var parts = [JSONObject(), JSONObject()]
        for member in full.members {
          // A required value must be in the first record, whichever that is.
          let isShared = ["id", "kind", model.key(toOne: "poet")].contains(member.key)
          let part = random.number(in: 0...1)
          for number in 0...1 where isShared || part == number {
            parts[number][member.key] = member.value
          }
        }
        records += parts.map { .object($0) }
      } else {
        records.append(.object(full))
      }
    }
    if skipsWrong, let thing = things.first(where: { $0.kind != "Poem" }) {
      records.append([
        "id": .integer(Int64(thing.id)), "kind": .string(thing.kind), "title": ["wrong": true],
      ])
    }
    if random.chance(15), let thing = random.one(of: things), !model.namesPeople {
      records.append(.integer(Int64(thing.id)))
    }
    return records
  }

  /// The pairs of friends, the same from both sides.
  private mutating func friends() -> [Int: [Int]] {
    var friends: [Int: [Int]] = [:]
    for one in things where one.isPerson {
      for other in things where other.isPerson && other.id > one.id && random.chance(40) {
        friends[one.id, default: []].append(other.id)
        friends[other.id, default: []].append(one.id)
      }
    }
    return friends
  }

  private mutating func pick(_ isWanted: (Thing) -> Bool) -> Thing? {
    random.one(of: things.filter(isWanted))
  }

  /// How another record names a thing.
  private mutating func reference(_ thing: Thing, byName: Bool = false) -> JSONValue {
    if byName && model.namesPeople { return .string(thing.name) }
    return .integer(Int64(thing.id))
  }

  private mutating func record(_ thing: Thing, _ friends: [Int: [Int]]) -> JSONObject {
    var record: JSONObject = ["id": .integer(Int64(thing.id)), "kind": .string(thing.kind)]
    if random.chance(60) { record["title"] = .string("title \(thing.id)") }
    func toOne(_ name: String, _ target: JSONValue) { record[model.key(toOne: name)] = target }
    if random.chance(50), let other = pick({ _ in true }) { toOne("next", reference(other)) }
    if random.chance(40) {
      let others = things.shuffled(using: &random).prefix(random.number(in: 1...3))
      record[model.key(toMany: "related")] = .array(others.map { .integer(Int64($0.id)) })
    }
    if thing.isWork {
      if random.chance(50) { record["year"] = 2000 }
      if random.chance(60), let author = pick(\.isPerson) {
        toOne("author", reference(author, byName: true))
      }
      if model.hasReviews && random.chance(40) {
        let people = things.filter(\.isPerson).shuffled(using: &random).prefix(2)
        record["reviews"] = .array(
          people.map { ["person": .integer(Int64($0.id)), "stars": .integer(Int64($0.id % 5))] })
      }
    } else {
      record["name"] = .string(thing.name)
      if let known = friends[thing.id], random.chance(70) {
        record[model.key(toMany: "friends")] = .array(
          known.map { model.namesPeople ? .string("name \($0)") : .integer(Int64($0)) })
      }
      if random.chance(50), let boss = pick(\.isPerson) {
        toOne("boss", reference(boss, byName: true))
      }
      if random.chance(40), let novel = pick({ $0.kind == "Novel" }) {
        toOne("favourite", reference(novel))
      }
    }
    switch thing.kind {
    case "Novel":
      if random.chance(60) { record["pages"] = .integer(Int64(thing.id * 10)) }
      // One after the other, so that no two have one sequel.
      if random.chance(50),
        let sequel = things.first(where: { $0.kind == "Novel" && $0.id > thing.id })
      {
        let isFirst = !things.contains {
          $0.kind == "Novel" && $0.id > thing.id && $0.id < sequel.id
        }
        if isFirst { toOne("sequel", reference(sequel)) }
      }
    case "Poem":
      if random.chance(50) { record["form"] = "sonnet" }
      if model.requiresAuthor || random.chance(30), let poet = pick(\.isPerson) {
        toOne("poet", reference(poet))
      }
    case "Author": if random.chance(60) { record["prize"] = .string("prize \(thing.id)") }
    default: break
    }
    return record
  }
}
