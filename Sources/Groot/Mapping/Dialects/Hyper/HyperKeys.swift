/// The JSON keys of an entity's attributes, by rank: each key belongs to one attribute, whatever
/// the order of declaration.
///
/// | rank | key |
/// |---|---|
/// | 0 | the remote key |
/// | 1 | the attribute's name |
/// | 2 | its snake_case spelling |
/// | 3 | `type`, `description` or `signed` for an attribute with the entity's name as prefix |
/// | 4 and more | the same with an ancestor's name, the parent first |
/// | then | `id` for `id` and `remoteID` |
/// | then | a key whose camelCase spelling is the name |
/// | last | any other spelling of the name |
///
/// The keys of the last two rows cannot be listed: ``spelling`` recognizes them.
struct HyperKeys {
  /// The paths of each attribute, best first.
  private(set) var inputs: [[JSONKeyPath]]
  let spelling: KeySpelling

  private static let reservedRank = 3

  /// - Parameter lineage: The names of the entity and its ancestors in their canonical spelling,
  ///   with their distances from the entity.
  init(
    _ attributes: [Property], names: [HyperName], lineage: (nearest: NameMap<Int>, count: Int),
    entity: String, compilation: inout MappingCompilation
  ) {
    let further = names.map { Self.further($0, lineage: lineage) }
    let owners = Self.owners(
      attributes, keys: zip(names, further).map { $0.keys + $1 }, entity: entity,
      compilation: &compilation)
    inputs = names.enumerated().map { position, name in
      func isOwn(_ key: String) -> Bool { owners[Name(key)]?.position == position }
      var paths = name.paths
      if !name.keys.allSatisfy({ isOwn($0.key) }) {
        paths = name.keys.filter { isOwn($0.key) }.map { JSONKeyPath(key: $0.key) }
      }
      paths += further[position].filter { isOwn($0.key) }.map { JSONKeyPath(key: $0.key) }
      if let path = name.remotePath { paths.insert(path, at: min(1, paths.count)) }
      return paths
    }
    for (attribute, name) in zip(attributes, names) where name.hasUnusablePath {
      compilation.report(
        .invalidMapping,
        "the remote key '\((name.remoteKey ?? "").shortened)' has an empty part, or more than "
          + "\(JSONKeyPath.maximumLength) keys or \(JSONKeyPath.maximumSize) bytes",
        entity: entity, property: attribute.name)
    }
    spelling = Self.spelling(attributes, names: names)
  }

  /// Returns, for each key, the attribute it belongs to: the one for which its rank is the lowest.
  private static func owners(
    _ attributes: [Property], keys: [[(rank: Int, key: String)]], entity: String,
    compilation: inout MappingCompilation
  ) -> [Name: (rank: Int, position: Int)] {
    var owners: [Name: (rank: Int, position: Int)] = [:]
    for position in keys.indices {
      for (rank, key) in keys[position] {
        let name = Name(key)
        guard let owner = owners[name], owner.position != position else {
          owners[name] = (min(owners[name]?.rank ?? rank, rank), position)
          continue
        }
        if rank < owner.rank {
          owners[name] = (rank, position)
        } else if rank == owner.rank && rank <= Self.reservedRank {
          compilation.report(
            .invalidMapping,
            "the JSON key '\(key.shortened)' belongs to '\(attributes[owner.position].name)' as "
              + "well; an annotation sync.remoteKey tells them apart", entity: entity,
            property: attributes[position].name)
        }
      }
    }
    return owners
  }

  /// Returns the paths of a key: the whole key, and the key split at its dots.
  static func paths(_ name: HyperName, key: String) -> [JSONKeyPath] {
    [JSONKeyPath(key: key)] + (name.remotePath.map { [$0] } ?? [])
  }

  /// Returns the keys of an attribute that depend on the names of its entity and ancestors.
  private static func further(
    _ name: HyperName, lineage: (nearest: NameMap<Int>, count: Int)
  ) -> [(rank: Int, key: String)] {
    var keys: [(rank: Int, key: String)] = []
    if let (word, prefix) = name.reserved, let distance = lineage.nearest[prefix] {
      keys.append((reservedRank + distance, word))
    }
    if name.isIdentifier { keys.append((reservedRank + lineage.count, "id")) }
    return keys.filter { key in !name.keys.contains { Name($0.key) == Name(key.key) } }
  }

  /// Returns the short key of an attribute, `id` or a reserved word; nil if it has none, or if the
  /// key belongs to another attribute.
  func shortKey(_ position: Int, name: String) -> String? {
    inputs[position].compactMap { path in
      path.segments.count == 1 ? path.firstKey?.text : nil
    }.first { key in
      (key == "id" && (name == "id" || name == "remoteID"))
        || (HyperName.reservedWords.contains(key) && Name(key) != Name(name))
    }
  }

  private static func spelling(_ attributes: [Property], names: [HyperName]) -> KeySpelling {
    var byName: NameMap<Int> = [:]
    var byCanonical: NameMap<Int> = [:]
    for position in attributes.indices {
      byName[attributes[position].name] = position
      guard let canonical = names[position].canonical else { continue }
      // A spelling that two names share belongs to neither.
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
