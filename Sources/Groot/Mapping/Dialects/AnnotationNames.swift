/// The annotations that Groot's dialect knows, and those that look like them but are not.
enum AnnotationNames {
  static let entity = [
    "identityAttributes", "identityAttribute", "entityMapperName", "JSONDictionaryTransformerName",
    "groot.implicit", "groot.unknownKeys", "groot.discriminator", "groot.discriminatorValue",
    "groot.unknownDiscriminator", "groot.version", "groot.versionRule", "groot.tombstone",
    "groot.deletionMark",
  ]
  static let attribute = ["JSONKeyPath", "JSONTransformerName", "groot.dateFormat"] + property
  static let relationship =
    ["JSONKeyPath", "groot.export", "groot.exportProperties", "groot.form"] + property
  private static let property =
    ["groot.alternatives", "groot.direction", "groot.exportNull"]
    + Policies.names.map { "groot." + $0 }

  private static let all = entity + attribute + relationship

  /// What may be meant by a name that is not known: a warning's text, or nil.
  static func suspicion(_ name: String, known: [String]) -> String? {
    if known.contains(where: { Name($0) == Name(name) }) { return nil }
    if all.contains(where: { Name($0) == Name(name) }) {
      return "the annotation '\(name)' has no meaning here"
    }
    if let near = known.first(where: { isNear(name, $0) }) ?? all.first(where: { isNear(name, $0) })
    {
      return "the annotation '\(name.shortened)' is not known; is '\(near)' meant?"
    }
    if name.utf8.starts(with: "groot.".utf8) {
      return "the annotation '\(name.shortened)' is not known"
    }
    return nil
  }

  /// Whether two names differ in capitals only, or in up to two letters.
  private static func isNear(_ left: String, _ right: String) -> Bool {
    // Long names are no misspelt ones, and the distance takes the product of the lengths.
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
