/// The annotations of Groot's dialect, and the names that are easily mistaken for them.
enum AnnotationNames {
  static let entity = [
    "identityAttributes", "identityAttribute", "entityMapperName", "JSONDictionaryTransformerName",
    "groot.implicit", "groot.unknownKeys", "groot.discriminator", "groot.discriminatorValue",
    "groot.unknownDiscriminator", "groot.version", "groot.versionRule", "groot.tombstone",
    "groot.deletionMark", "groot.root", "groot.rootForm", "groot.inferred",
  ]
  static let attribute =
    ["JSONKeyPath", "JSONTransformerName", "groot.dateFormat", "groot.conversion"] + property
  static let toOne = relationship + ["groot.discriminator"]
  static let toMany = relationship + ["groot.form", "groot.assignment"]
  private static let relationship =
    ["JSONKeyPath", "groot.export", "groot.exportProperties", "groot.unknownIdentifier"] + property
  private static let property = [
    "groot.alternatives", "groot.direction", "groot.exportNull", "groot.missing", "groot.null",
    "groot.shape", "groot.invalid", "groot.validation", "groot.emptyText",
    "groot.inferred",
  ]

  private static let all = entity + attribute + toMany

  /// The severity of an annotation that is not read.
  enum Finding {
    /// An annotation of Xcode models for other libraries, or of another version of this library.
    case warning(String)
    /// A known annotation without meaning on this kind of property or entity.
    case error(String)
  }

  /// Returns the finding about an annotation; nil for one that is read, or that belongs to another
  /// library.
  ///
  /// - Parameters:
  ///   - known: The names of the annotations that are read there.
  ///   - kind: The kind of property or entity, for messages, such as `an attribute`.
  static func finding(_ name: String, known: [String], kind: String) -> Finding? {
    if known.contains(where: { Name($0) == Name(name) }) { return nil }
    let isOwn = name.utf8.starts(with: "groot.".utf8)
    if all.contains(where: { Name($0) == Name(name) }) {
      let message = "the annotation '\(name)' has no meaning on \(kind)"
      return isOwn ? .error(message) : .warning(message)
    }
    if let near = known.first(where: { isNear(name, $0) }) ?? all.first(where: { isNear(name, $0) })
    {
      return .warning("the annotation '\(name.shortened)' is not known; is '\(near)' meant?")
    }
    return isOwn ? .warning("the annotation '\(name.shortened)' is not known") : nil
  }

  /// Returns whether two names differ in capitals only, or in up to two letters.
  private static func isNear(_ left: String, _ right: String) -> Bool {
    // Very long names are not misspelt, and the time for a distance is the product of both lengths.
    guard left.utf8.count <= 2 * right.utf8.count else { return false }
    let (left, right) = (Array(left.lowercased().utf8), Array(right.lowercased().utf8))
    guard abs(left.count - right.count) <= 2, right.count > 4 else { return left == right }
    // Levenshtein's distance, row by row.
    var distances = Array(0...right.count)
    for (row, byte) in left.enumerated() {
      var diagonal = distances[0]
      distances[0] = row + 1
      for (column, other) in right.enumerated() {
        let replaced = diagonal + (byte == other ? 0 : 1)
        diagonal = distances[column + 1]
        distances[column + 1] = min(replaced, diagonal + 1, distances[column] + 1)
      }
    }
    return distances[right.count] <= 2
  }
}
