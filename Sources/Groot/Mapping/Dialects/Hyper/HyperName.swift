/// The spellings of a property's name, computed once for all entities that inherit it.
struct HyperName: Sendable {
  /// The key of the annotation.
  let remoteKey: String?
  /// The remote key as a path, if it has more than one key.
  let remotePath: JSONKeyPath?
  /// The path of the remote key in exports.
  let remoteOutput: JSONKeyPath?
  /// Whether the remote key has dots, but is not a usable path.
  let hasUnusablePath: Bool
  /// The spellings that do not depend on the entity: the remote key, the name and its snake_case
  /// spelling, each once, with their ranks in ``HyperKeys``.
  let keys: [(rank: Int, key: String)]
  /// The same spellings as paths.
  let paths: [JSONKeyPath]
  let canonical: String?
  /// The reserved word at the end of the name, and the prefix before it, in canonical spelling.
  let reserved: (word: String, prefix: String)?
  /// Whether `id` is one of its keys.
  let isIdentifier: Bool
  /// Its keys in exports, by inflection.
  let snake: JSONKeyPath
  let camel: JSONKeyPath

  static let reservedWords = ["type", "description", "signed"]

  init(_ property: Property) {
    let name = property.name
    let small = Inflection.snake(name)
    remoteKey = HyperAnnotations.remoteKey(property)
    let path = remoteKey.flatMap { key in
      key.utf8.contains(Byte.point) ? JSONKeyPath(key) : nil
    }
    remotePath = path.flatMap { $0.isUsable ? $0 : nil }
    remoteOutput = remoteKey.map { key in
      let path = JSONKeyPath(key)
      return path.isUsable ? path : JSONKeyPath(key: key)
    }
    hasUnusablePath = path?.isUsable == false
    var keys: [(rank: Int, key: String)] = []
    for (rank, key) in [(0, remoteKey), (1, name), (2, small)] {
      if let key, !keys.contains(where: { Name($0.key) == Name(key) }) { keys.append((rank, key)) }
    }
    self.keys = keys
    paths = keys.map { JSONKeyPath(key: $0.key) }
    canonical = Inflection.canonical(name)
    reserved = canonical.flatMap { text in
      Self.reservedWords.first { text.utf8.reversed().starts(with: $0.utf8.reversed()) }.map {
        ($0, String(decoding: text.utf8.dropLast($0.utf8.count), as: UTF8.self))
      }
    }
    isIdentifier = name == "id" || name == "remoteID"
    snake = JSONKeyPath(key: small)
    camel = JSONKeyPath(key: name)
  }
}
