import Groot

extension Checks {
  /// Types are read, changed and linked as any Swift values.
  mutating func checkProperties() throws {
    let context = try openComics()
    let heroes = try context.importText(feed, as: Hero.self)
    let (batman, hulk) = (heroes[0], heroes[1])
    expect(heroes.map(\.name), ["Batman", "Hulk", "Joker"])
    expect(batman.id, 1)
    expect(batman.rating, 9.5)
    expect(batman.side, .good)
    expect(hulk.side, nil)
    expect(heroes[2].isActive, false)
    expect(batman.born?.description, "1939-03-30T00:00:00Z")
    expect(batman.publisher?.name, "DC")
    expect(batman.powers.map(\.name), ["Wealth", "Wits"])
    expect(batman.publisher?.heroes.count, 2)

    heroes[0].name = "The Batman"
    batman.rating = nil
    batman.side = .bad
    batman.publisher = hulk.publisher
    batman.powers.append(hulk.powers[0])
    batman.powers.remove(at: 0)
    hulk.powers = [batman.powers[0]]
    heroes[2].powers.append(contentsOf: batman.powers)
    expect(batman.name, "The Batman")
    expect(batman.rating, nil)
    expect(batman.side, .bad)
    expect(hulk.publisher?.heroes.contains(batman), true)
    expect(batman.powers.map(\.name), ["Wits", "Strength"])
    expect(hulk.powers.map(\.name), ["Wits"])
    expect(heroes[2].powers.map(\.name), ["Wits", "Strength"])
    expect(heroes[2].powers == batman.powers, true)
    expect(hulk.powers == batman.powers, false)
    hulk.publisher = nil
    hulk.powers.removeAll()
    expect(hulk.publisher, nil)
    expect(hulk.powers.isEmpty, true)
    try context.checkAccess()
  }

  /// Conditions are predicates.
  mutating func checkConditions() throws {
    let context = try openComics()
    try context.importText(feed, as: Hero.self)
    func names(_ condition: @escaping (EntityPaths<Hero>) -> Condition<Hero>) throws -> [String] {
      try context.fetch(Hero.self, sort: .ascending(\.name), where: condition).compactMap(\.name)
    }
    expect(try names { $0.publisher.name == "DC" && $0.rating > 8 }, ["Batman"])
    expect(try names { $0.rating >= 8 && $0.rating < 9.5 }, ["Hulk"])
    expect(try names { $0.id < 2 }, ["Batman"])
    expect(try names { $0.id <= 2 }, ["Batman", "Hulk"])
    expect(try names { $0.id > 2 }, ["Joker"])
    expect(try names { $0.id >= 3 }, ["Joker"])
    expect(try names { $0.rating <= 8 }, ["Hulk"])
    expect(try names { $0.rating != nil }, ["Batman", "Hulk"])
    expect(try names { $0.rating == nil || $0.name == "Hulk" }, ["Hulk", "Joker"])
    expect(try names { !($0.isActive == true) }, ["Joker"])
    expect(try names { $0.side == .bad }, ["Joker"])
    expect(try names { $0.side.in([.bad, nil]) }, ["Hulk", "Joker"])
    expect(try names { $0.name.contains("k") }, ["Hulk", "Joker"])
    expect(try names { $0.name.beginsWith("b", ignoresCase: true) }, ["Batman"])
    expect(try names { $0.name.endsWith("r") }, ["Joker"])
    expect(try names { $0.name.like("?u*") }, ["Hulk"])
    expect(try names { $0.id.between(2, and: 3) }, ["Hulk", "Joker"])
    expect(try names { $0.rating.between(1, and: 9) }, ["Hulk"])
    expect(try names { $0.powers.any { $0.name == "Wits" } }, ["Batman"])
    expect(try names { $0.powers.all { $0.name != "Wits" } }, ["Hulk", "Joker"])
    expect(try names { $0.powers.none { $0.name == "Strength" } }, ["Batman", "Joker"])
    expect(try names { $0.powers.count(in: 1...1) }, ["Hulk"])
    expect(try names { $0.publisher.heroes.any { $0.name == "Joker" } }, ["Batman", "Joker"])
    expect(try names { $0.publisher != nil }, ["Batman", "Hulk", "Joker"])
    expect(try names { $0.publisher == nil }, [])
    let second = Condition<Hero>(["id": 2])
    expect(try names { _ in second }, ["Hulk"])
    let first = Condition<Hero> { $0.id == 1 }
    expect(try names { _ in first || second }, ["Batman", "Hulk"])
    expect(try context.count(Hero.self) { $0.publisher.name == "DC" }, 2)
    expect(try context.fetch(Hero.self).count, 3)
    let last = try context.fetch(
      Hero.self, sort: .ascending(\.publisher.name), .descending(\.id), limit: 1)
    expect(last.map(\.name), ["Joker"])
  }

  /// Entities inherit, and a type fits its model or says why not.
  mutating func checkEntities() throws {
    let context = try openComics()
    let robin = try context.importText(#"{"id": "7", "mentor": "1"}"#, as: Sidekick.self)[0]
    expect(robin.mentor?.id, 1)
    let hero = Hero(robin)
    expect(hero?.id, 7)
    expect(hero.flatMap { Sidekick($0) }, robin)
    expect(robin.mentor.map { Sidekick($0) == nil }, true)
    expect(Publisher(robin), nil)
    do {
      _ = try context.fetch(Stranger.self)
      expect("taken", "refused")
    } catch {
      expect(error.status, .invalidModel)
      expect(error.issues.map(\.property), ["name", "powers", "shoeSize"])
    }
  }

  /// What goes wrong where nothing can be thrown is thrown by the next call that can.
  mutating func checkFailures() throws {
    let context = try openComics()
    let other = try openComics().importText(feed, as: Hero.self)
    let heroes = try context.importText(feed, as: Hero.self)
    let power = try context.insert(Power.self)
    expect(power.name, "")
    expect(failure { try context.checkAccess() }, .missingValue)
    expect(failure { try context.checkAccess() }, nil)
    heroes[0].powers = other[0].powers
    expect(failure { _ = try context.count(Hero.self) }, .invalidArgument)
    expect(heroes[0].powers.count, 2)
    heroes[0].powers.append(other[1].powers[0])
    expect(failure { try context.checkAccess() }, .invalidArgument)
    expect(heroes[0].powers.map(\.name), ["Wealth", "Wits"])
    heroes[0].powers = [other[1].powers[0], heroes[0].powers[0], heroes[0].powers[1]]
    expect(failure { try context.checkAccess() }, .invalidArgument)
    expect(heroes[0].powers.map(\.name), ["Wealth", "Wits"])
    heroes[0].publisher = other[0].publisher
    expect(failure { try context.save() }, .invalidArgument)
    try context.delete(heroes[1])
    expect(heroes[1].name, nil)
    expect(heroes[1].publisher, nil)
    expect(heroes[1].powers.isEmpty, true)
    expect(Hero(heroes[1].managedObject), nil)
    heroes[1].name = "gone"
    expect(failure { _ = try context.exportText(heroes[0]) }, .objectDeleted)
    heroes[1].powers.append(power)
    try context.rollback()
    expect(failure { try context.checkAccess() }, nil)
  }

  /// The failure of a deleted object names its property, and the access.
  mutating func checkDeletions() throws {
    let context = try openComics()
    let heroes = try context.importText(feed, as: Hero.self)
    let first = heroes[0]
    expect(first.managedObject.isDeleted, false)
    try context.delete(first)
    expect(first.managedObject.isDeleted, true)
    let accesses: [(property: String, access: String, use: () -> Void)] = [
      ("name", "read", { _ = first.name }), ("publisher", "read", { _ = first.publisher }),
      ("powers", "read", { _ = first.powers }), ("name", "write", { first.name = "x" }),
      ("publisher", "write", { first.publisher = nil }),
      ("powers", "write", { first.powers = [] }),
    ]
    for (property, access, use) in accesses {
      use()
      do {
        try context.checkAccess()
        expect(property, "a failure")
      } catch {
        let issue = error.issues[0]
        let id = first.managedObject.id
        expect(issue.property, property)
        expect(issue.entity, "Hero")
        expect(
          issue.message.hasPrefix("\(access) after delete: the object \(id) was deleted"), true)
      }
    }
  }

  /// Objects with names of properties have the same calls as typed ones.
  mutating func checkDynamicCalls() throws {
    let context = try openComics()
    let heroes = try context.importText(feed, into: "Hero")
    expect(heroes.count, 3)
    let hero = heroes[0]
    try hero.set("name", to: nil)
    expect(try hero["name"], .null)
    try hero.set("publisher", to: nil)
    expect(try hero.target("publisher") == nil, true)
    try hero.set("powers", to: nil)
    expect(try hero.members("powers").isEmpty, true)
    expect(failure { try hero.set("nmae", to: nil) }, .unknownProperty)
    try context.fill(hero, from: .text(#"{"name": "Wayne"}"#))
    expect(try hero["name"], "Wayne")
    let typed = try context.fetch(Hero.self, sort: .ascending(\.id))
    try context.fill(typed[0], from: .text(#"{"name": "Bruce"}"#))
    expect(try context.exportValue(typed[0]), try context.exportValue(hero))
    expect(try context.exportValue(typed), try context.exportValue(heroes))
  }

  private func failure(_ body: () throws -> Void) -> Status? {
    do {
      try body()
      return nil
    } catch {
      return (error as? GrootError)?.status ?? .ok
    }
  }

  /// Objects whose properties are named by text.
  mutating func checkObjects() throws {
    let context = try openComics()
    let hero = try context.insert("Hero")
    try hero.set("id", to: 4)
    try hero.set("name", to: "Robin")
    try hero.set("publisher", to: context.insert("Publisher"))
    try hero.target("publisher")?.set("name", to: "DC")
    try hero.set("powers", to: [context.insert("Power")])
    expect(try hero["name"], "Robin")
    expect(try hero["rating"], .null)
    expect(try hero.value("id", as: Int.self), 4)
    expect(try hero.value("rating", as: DecimalNumber.self), nil)
    expect(try hero.members("powers").count, 1)
    try hero.set("publisher", to: nil)
    try hero.set("name", to: .null)
    expect(try hero.target("publisher"), nil)
    expect(failure { _ = try hero["nmae"] }, .unknownProperty)
    expect(failure { _ = try hero.value("id", as: String.self) }, .wrongType)
    expect(failure { try hero.set("name", to: 5) }, .wrongType)
    expect(try context.count(FetchRequest("Hero", where: ["id": [">": 3]])), 1)
    let heroes = try context.fetch(FetchRequest("Hero", sort: [.descending("id")], limit: 1))
    expect(try heroes.first?["id"], 4)
  }
}
