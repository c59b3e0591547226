/// How JSON and the objects of one entity relate; what a dialect compiles annotations to.
struct EntityMapping: Sendable {
  /// The entity, as a position in the model.
  let entity: Int
  /// The numbers of the attributes that identify an object; empty when nothing does.
  var identity: [Int] = []
  /// Runs on the JSON object before anything reads it.
  var dictionaryTransformer: TransformerRegistry.TapeTransform?
  /// Which name that transformer has, to tell whether another entity's is the same.
  var dictionaryTransformerName: String?
  /// Chooses the entity of a new object.
  var entityMapper: TransformerRegistry.TapeTransform?
  var entityMapperName: String?
  /// Attributes first, then relationships, each in the order of the model.
  var properties: [PropertyMapping] = []
}

/// How one property is read and written.
struct PropertyMapping: Sendable {
  let property: Property
  /// Where its value may stand; the first path that is there wins.
  var inputs: [JSONKeyPath]
  /// Where it is written; nil leaves it out.
  var output: JSONKeyPath?
  var conversion = Conversion.plain
  var forward: TransformerRegistry.TapeTransform?
  var reverse: TransformerRegistry.TapeTransform?
  var transformerName: String?
  /// The position in the model of the entity that JSON under a relationship is imported into.
  var destination: Int = -1
  /// Whether an export writes members as their identifiers.
  var writesIdentifiers = false
  var policies = Policies()
}
