@testable import Groot

extension LawRun {
  /// What can be compared without reading anything.
  func compareCounts(_ world: LawWorld) throws {
    let (expected, found) = try (memory.context.changes, world.context.changes)
    guard expected == found else { throw fail("changes \(found), in memory \(expected)") }
    for context in [memory.context, world.context] { try context.checkInvariants() }
  }

  /// Every value and link of every object, what is exported, and the answers to some requests.
  func compareAll(_ world: LawWorld) throws {
    numberNewObjects()
    var living: [Int] = []
    let answersFirst = random.flip()
    if answersFirst { try compareAnswers(world) }
    for root in law.roots {
      let expected = try memory.context.fetchIDs(FetchRequest(root))
      try bind(expected, world.context.fetchIDs(FetchRequest(root)), in: world)
      living += expected.map(number)
    }
    for object in living.shuffled(using: &random) {
      guard let entity = entity(object) else { continue }
      let name = law.model.resolved[entity].name
      guard let id = world.ids[object], try world.context.entity(of: id).name == name else {
        throw fail("object \(object) is no \(name)")
      }
      for property in law.properties(of: entity).shuffled(using: &random) {
        try compare(object, id, property, world)
      }
    }
    try compare(.export(living), world)
    if !answersFirst { try compareAnswers(world) }
    try compareCounts(world)
  }

  private func compare(
    _ object: Int, _ id: ObjectID, _ property: Property, _ world: LawWorld
  ) throws {
    let reference = PropertyReference.number(Int32(property.number))
    if property.attribute != nil {
      let expected = try memory.context.value(reference, of: all[object])
      let found = try world.context.value(reference, of: id)
      guard !expected.isSame(as: found) else { return }
      throw fail("\(property.name) of object \(object) is \(found), in memory \(expected)")
    }
    do {
      if property.field.isToMany {
        let expected = try memory.context.members(reference, of: all[object])
        try bind(expected, world.context.members(reference, of: id), in: world)
      } else {
        let expected = try memory.context.target(reference, of: all[object])
        let found = try world.context.target(reference, of: id)
        try bind(expected.map { [$0] } ?? [], found.map { [$0] } ?? [], in: world)
      }
    } catch let failure as LawFailure {
      throw fail("\(property.name) of object \(object): \(failure)")
    }
  }

  private func compareAnswers(_ world: LawWorld) throws {
    for _ in 0..<3 {
      let entity = law.randomEntity(using: &random)
      var requests = LawRequests(law: law, random: random.fork())
      let request = requests.fetch(entity)
      try compare(.fetch(request), world)
      try compare(.count(request), world)
      try compare(.aggregate(requests.aggregate(entity)), world)
      if let path = requests.orderable(entity) {
        var unsorted = request
        unsorted.sortKeys = []
        try compare(.distinct(FetchRequest.SortKey(path), unsorted), world)
      }
    }
  }

  private func compare(_ action: LawAction, _ world: LawWorld) throws {
    let (expected, found) = (memory.perform(action), world.perform(action))
    guard expected.text == found.text else {
      throw fail("\(action): the store gives '\(found.text)', memory '\(expected.text)'")
    }
    do {
      try bind(expected.objects, found.objects, in: world)
    } catch let failure as LawFailure {
      throw fail("\(action): \(failure)")
    }
  }

  /// Whether two objects of one entity have one identity, as an index of a store sees it.
  func hasDuplicates() throws -> Bool {
    for entity in law.model.resolved where !entity.isAbstract {
      let numbers = law.mapping.plan.identityNumbers[entity.index]
      if numbers.isEmpty { continue }
      let properties = law.model.hierarchies[entity.hierarchy].properties
      var seen: Set<[String]> = []
      for id in try memory.context.fetchIDs(FetchRequest(entity.name)) {
        guard try memory.context.entity(of: id).name == entity.name else { continue }
        let key = try numbers.map { try identity(properties[$0], id) }
        if key.allSatisfy({ $0 != nil }), !seen.insert(key.compactMap(\.self)).inserted {
          return true
        }
      }
    }
    return false
  }

  private func identity(_ property: Property, _ id: ObjectID) throws -> String? {
    if property.attribute == nil {
      return try memory.context.target(.name(property.name), of: id).map { "\($0)" }
    }
    switch try memory.context.value(.name(property.name), of: id) {
    case .null: return nil
    case .real(let number) where number == 0 && place.hasOneZero: return "0"
    case let value: return "\(value)"
    }
  }
}

extension Value {
  /// Whether it is equal, and 0.0 is not -0.0.
  fileprivate func isSame(as other: Value) -> Bool {
    if case .real(let one) = self, case .real(let two) = other {
      return one.bitPattern == two.bitPattern
    }
    return self == other
  }
}
