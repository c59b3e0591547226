/// The JSON keys of an entity's attributes, by rank, so that each key belongs to one attribute and
/// the order of declaration does not matter.
///
/// | rank | key |
/// |---|---|
/// | 0 | the remote key |
/// | 1 | the attribute's name |
/// | 2 | its snake_case spelling |
/// | 3 | `type`, `description` or `signed` for an attribute with the entity's name in front |
/// | 4 and more | the same with the name of an ancestor, the parent first |
/// | then | `id` for `id` and `remoteID` |
/// | then | a key whose camelCase spelling is the name |
/// | last | any other spelling of the name |
///
/// The last two are open sets: ``spelling`` answers for keys that come.
struct HyperKeys {
  /// The paths of each attribute, best first.
  private(set) var inputs: [[JSONKeyPath]]
  let spelling: KeySpelling

  private static let reservedWords = ["type", "description", "signed"]
  private static let reservedRank = 3

  init(_ attributes: [Property], entityNames: [String], _ faults: inout MappingFaults) {
    var owners: [String: (rank: Int, position: Int)] = [:]
    let ranked = attributes.map { Self.ranked($0, entityNames) }
    for (position, keys) in ranked.enumerated() {
      for (rank, key) in keys {
        guard let owner = owners[key], owner.position != position else {
          owners[key] = (min(owners[key]?.rank ?? rank, rank), position)
          continue
        }
        if rank < owner.rank {
          owners[key] = (rank, position)
        } else if rank == owner.rank && rank <= Self.reservedRank {
          faults.fault(
            .invalidMapping,
            "the JSON key '\(key)' belongs to '\(attributes[owner.position].name)' as well; an "
              + "annotation sync.remoteKey tells them apart", entityNames.first ?? "",
            attributes[position].name)
        }
      }
    }
    inputs = ranked.enumerated().map { position, keys in
      keys.filter { owners[$0.key]?.position == position }.map { JSONKeyPath(key: $0.key) }
    }
    for (position, attribute) in attributes.enumerated() {
      guard let key = HyperAnnotations.remoteKey(attribute), key.contains(".") else { continue }
      let path = JSONKeyPath(key)
      if path.isUsable {
        inputs[position].insert(path, at: min(1, inputs[position].count))
      } else {
        faults.fault(
          .invalidMapping, "the remote key '\(key.prefix(60))' has an empty part",
          entityNames.first ?? "", attribute.name)
      }
    }
    spelling = Self.spelling(attributes)
  }

  /// The paths of a key: as it is, and with its dots as steps.
  static func paths(_ key: String) -> [JSONKeyPath] {
    let path = JSONKeyPath(key)
    return key.contains(".") && path.isUsable
      ? [JSONKeyPath(key: key), path] : [JSONKeyPath(key: key)]
  }

  /// The keys of an attribute with their ranks, each once.
  private static func ranked(
    _ attribute: Property, _ entityNames: [String]
  ) -> [(rank: Int, key: String)] {
    let name = attribute.name
    var keys: [(rank: Int, key: String)] = []
    func add(_ rank: Int, _ key: String) {
      if !keys.contains(where: { $0.key == key }) { keys.append((rank, key)) }
    }
    if let key = HyperAnnotations.remoteKey(attribute) { add(0, key) }
    add(1, name)
    add(2, Inflection.snake(name))
    for (distance, entity) in entityNames.enumerated() {
      if let word = reservedWord(name, entity) { add(reservedRank + distance, word) }
    }
    if name == "id" || name == "remoteID" { add(reservedRank + entityNames.count, "id") }
    return keys
  }

  /// The word that a name is with the name of an entity in front; nil when it is no such name.
  private static func reservedWord(_ name: String, _ entity: String) -> String? {
    guard let canonical = Inflection.canonical(name) else { return nil }
    return reservedWords.first { Inflection.canonical(entity + $0) == canonical }
  }

  /// The key that stands for an attribute without being its name: `id`, or a reserved word; nil
  /// when there is none, or when it belongs to another attribute.
  func shortKey(_ position: Int, _ name: String) -> String? {
    inputs[position].compactMap { path in
      path.segments.count == 1 ? path.segments[0] : nil
    }.first { key in
      (key == "id" && (name == "id" || name == "remoteID"))
        || (Self.reservedWords.contains(key) && key != name)
    }
  }

  private static func spelling(_ attributes: [Property]) -> KeySpelling {
    var byName: [String: Int] = [:]
    var byCanonical: [String: Int] = [:]
    for (position, attribute) in attributes.enumerated() {
      byName[attribute.name] = position
      guard let canonical = Inflection.canonical(attribute.name) else { continue }
      // What is a spelling of two names belongs to neither.
      byCanonical[canonical] = byCanonical[canonical] == nil ? position : -1
    }
    return { [byName, byCanonical] key in
      guard key.utf8.count <= 512 else { return nil }
      if let name = Inflection.camel(key), let position = byName[name] { return position }
      guard let canonical = Inflection.canonical(key), let position = byCanonical[canonical],
        position >= 0
      else { return nil }
      return position
    }
  }
}
