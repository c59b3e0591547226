/// A model compiled with a registry: how JSON becomes objects and objects become JSON.
///
/// It never changes after it was made; contexts on any number of threads share it.
public final class Mapping: Sendable {
  /// How the model's annotations are read.
  public enum Dialect: String, CaseIterable, Sendable {
    /// Groot's annotations: `JSONKeyPath`, `identityAttributes` and so on.
    case groot
    /// Naming conventions and the annotations `sync.remoteKey`, `hyper.remoteKey` and so on.
    case hyper
    /// Rules beside the model.
    case kvc
  }

  /// The model.
  public let model: ManagedObjectModel
  /// How its annotations were read.
  public let dialect: Dialect
  /// Probable mistakes that do not keep the mapping from working; empty without any.
  public let warnings: [GrootIssue]
  /// The output of properties without a value, where nothing else says it.
  public let nulls: NullStyle
  let entities: [EntityMapping]
  /// The places of a document that has records of several entities.
  let roots: [DocumentPart]
  /// Whether they were given; else they are the external names of rules.
  let hasRoots: Bool
  /// The plans of the external names that an envelope may have.
  let planOfExternalName: NameMap<PlanIndex>
  let plan: Plan

  /// Compiles a mapping.
  ///
  /// - Parameters:
  ///   - model: The entities and their properties.
  ///   - registry: The functions that the annotations or rules name.
  ///   - dialect: How the model's annotations are read.
  ///   - isImplicit: Whether properties without a key path are read under their own names; of the
  ///     dialect ``Dialect/groot`` only.
  ///   - nulls: The output of properties without a value, where no annotation and no call says it.
  ///   - roots: Where the records of each entity are in a document of several, by JSON Pointer
  ///     (RFC 6901); imports and exports without an entity read and write such documents.
  ///   - rules: The rules of the dialect ``Dialect/kvc``, which needs them.
  /// - Throws: ``GrootError`` with an issue for each thing that is wrong:
  ///   ``Status/invalidMapping``, or ``Status/unknownTransformer`` when nothing but names is
  ///   missing.
  public init(
    model: ManagedObjectModel, registry: TransformerRegistry = TransformerRegistry(),
    dialect: Dialect = .groot, isImplicit: Bool = false, nulls: NullStyle = .write,
    roots: NameMap<DocumentRoot> = [:], rules: JSONValue? = nil
  ) throws(GrootError) {
    if isImplicit && dialect == .hyper {
      throw GrootError(
        .invalidArgument, "names are implicit in the dialect 'hyper' whatever the options say")
    }
    guard (rules != nil) == (dialect == .kvc) else {
      throw GrootError(
        .invalidArgument,
        dialect == .kvc ? "the dialect 'kvc' needs rules" : "only the dialect 'kvc' takes rules")
    }
    var compilation = MappingCompilation(registry)
    let (entities, planOfExternalName) = Self.compile(
      model, dialect: dialect, isImplicit: isImplicit, rules: rules, compilation: &compilation)
    let parts = DocumentPart.parts(
      of: roots, in: model, mappings: entities, compilation: &compilation)
    compilation.warnOfChildren(entities, in: model)
    if dialect == .groot {
      compilation.warnOfUnread(entities, in: model)
      compilation.warnOfBothSides(entities, in: model)
    }
    compilation.warnOfUnused()
    try GrootError.carrying { try compilation.check() }
    self.model = model
    self.dialect = dialect
    self.nulls = nulls
    self.entities = entities
    self.planOfExternalName = planOfExternalName
    self.roots =
      parts.isEmpty
      ? planOfExternalName.map { DocumentPart(keys: [$0.key], plan: $0.value) } : parts
    hasRoots = !parts.isEmpty
    warnings = compilation.warnings
    plan = try GrootError.carrying {
      try Plan(
        model: model, entities: entities, variantCount: Self.variants(dialect).count, nulls: nulls)
    }
  }

  /// Whether records of an entity read values of the object around them.
  func readsAround(_ entity: String) -> Bool {
    guard let number = try? plan(of: entity) else { return false }
    return model.kinds(of: plan.entities[number].entity).contains {
      plan.entities[PlanIndex(of: $0)].readsParent
    } || plan.entities[number].readsParent
  }

  /// The mappings of all entities, and which of them an envelope's names lead to.
  private static func compile(
    _ model: ManagedObjectModel, dialect: Dialect, isImplicit: Bool, rules: JSONValue?,
    compilation: inout MappingCompilation
  ) -> (entities: [EntityMapping], planOfExternalName: NameMap<PlanIndex>) {
    switch dialect {
    case .groot:
      var compiler = GrootDialect(model: model, isImplicit: isImplicit)
      return (compiler.compile(&compilation), [:])
    case .hyper:
      var compiler = HyperDialect(model: model)
      return (compiler.compile(&compilation), [:])
    case .kvc:
      var annotations = GrootDialect(model: model, isImplicit: isImplicit)
      let base = annotations.compile(&compilation)
      var compiler = KVCDialect(model: model, base: base)
      let entities = compiler.compile(rules ?? .null, compilation: &compilation)
      return (entities, compiler.mappingOfName)
    }
  }
}
