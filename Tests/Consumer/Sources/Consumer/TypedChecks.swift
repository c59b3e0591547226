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
    func names(_ condition: Condition<Hero>) throws -> [String] {
      try context.fetch(Hero.self, where: condition, sort: [.ascending(\.name)])
        .compactMap(\.name)
    }
    expect(try names(\.publisher.name == "DC" && \.rating > 8), ["Batman"])
    expect(try names(\.rating >= 8 && \.rating < 9.5), ["Hulk"])
    expect(try names(\.id < 2), ["Batman"])
    expect(try names(\.id <= 2), ["Batman", "Hulk"])
    expect(try names(\.id > 2), ["Joker"])
    expect(try names(\.id >= 3), ["Joker"])
    expect(try names(\.rating <= 8), ["Hulk"])
    expect(try names(\.rating != nil), ["Batman", "Hulk"])
    expect(try names(\.rating == nil || \.name == "Hulk"), ["Hulk", "Joker"])
    expect(try names(!(\.isActive == true)), ["Joker"])
    expect(try names(\.side == .bad), ["Joker"])
    expect(try names(.value(\.side, in: [.bad, nil])), ["Hulk", "Joker"])
    expect(try names(.contains(\.name, "k")), ["Hulk", "Joker"])
    expect(try names(.begins(\.name, with: "b", ignoresCase: true)), ["Batman"])
    expect(try names(.ends(\.name, with: "r")), ["Joker"])
    expect(try names(.matches(\.name, like: "?u*")), ["Hulk"])
    expect(try names(.between(\.id, 2...3)), ["Hulk", "Joker"])
    expect(try names(.between(\.rating, 1...9)), ["Hulk"])
    expect(try names(.any(\.powers, \.name == "Wits")), ["Batman"])
    expect(try names(.all(\.powers, \.name != "Wits")), ["Hulk", "Joker"])
    expect(try names(.none(\.powers, \.name == "Strength")), ["Batman", "Joker"])
    expect(try names(.count(\.powers, in: 1...1)), ["Hulk"])
    expect(try names(.any(\.publisher.heroes, \.name == "Joker")), ["Batman", "Joker"])
    expect(try names(\.publisher != nil), ["Batman", "Hulk", "Joker"])
    expect(try names(\.publisher == nil), [])
    expect(try names(Condition(["id": 2])), ["Hulk"])
    expect(try context.count(Hero.self, where: \.publisher.name == "DC"), 2)
    let last = try context.fetch(Hero.self, sort: [.descending(\.id)], limit: 1)
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
