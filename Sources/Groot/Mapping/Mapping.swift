/// The rules for converting JSON to objects and back, compiled from a model and a registry.
///
/// A mapping never changes; contexts on any number of threads can share it.
public final class Mapping: Sendable {
  /// The source of the mapping: annotations, conventions or rules.
  public enum Dialect: String, CaseIterable, Sendable {
    /// Groot's annotations: `JSONKeyPath`, `identityAttributes` and so on.
    case groot
    /// Naming conventions and the annotations `sync.remoteKey`, `hyper.remoteKey` and so on.
    case hyper
    /// Rules outside the model.
    case kvc
  }

  /// The model.
  public let model: ManagedObjectModel
  /// The dialect of its annotations or rules.
  public let dialect: Dialect
  /// Probable mistakes that do not prevent the mapping from working.
  public let warnings: [GrootIssue]
  /// The output of properties without a value, if no annotation or call sets it.
  public let nulls: NullStyle
  let entities: [EntityMapping]
  /// The places of records in a document with several entities.
  let roots: [DocumentPart]
  /// Whether the roots were given; otherwise they are the external names of rules.
  let hasRoots: Bool
  /// The plans of the external names in an envelope.
  let planOfExternalName: NameMap<PlanIndex>
  let plan: Plan

  /// Compiles a mapping.
  ///
  /// - Parameters:
  ///   - model: The entities and their properties.
  ///   - registry: The functions that the annotations or rules name.
  ///   - dialect: The source of the mapping: annotations, conventions or rules.
  ///   - isImplicit: Whether properties without a key path are read under their own names; only in
  ///     the dialect ``Dialect/groot``.
  ///   - nulls: The output of properties without a value, if no annotation or call sets it.
  ///   - roots: The places of records in a document with several entities, by JSON Pointer (RFC
  ///     6901). Imports and exports without an entity read and write these documents.
  ///   - rules: The rules of the dialect ``Dialect/kvc``, which needs them.
  /// - Throws: ``GrootError`` with an issue for each mistake: ``Status/invalidMapping``, or
  ///   ``Status/unknownTransformer`` if the only mistakes are unregistered names.
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

  /// Returns whether records of an entity read values of the object that encloses them.
  func readsAround(_ entity: String) -> Bool {
    guard let number = try? plan(of: entity) else { return false }
    return model.kinds(of: plan.entities[number].entity).contains {
      plan.entities[PlanIndex(of: $0)].readsParent
    } || plan.entities[number].readsParent
  }

  /// Compiles the mappings of all entities, and finds those of the names in an envelope.
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

// The variants in which the mappings of each dialect can write objects.

extension Mapping {
  /// Returns the variants of a dialect, the default first.
  static func variants(_ dialect: Dialect) -> [ExportVariant] {
    switch dialect {
    case .groot: return [.array, .none].map { ExportVariant(relationships: $0) }
    case .hyper:
      return [RelationshipStyle.array, .nested, .none].flatMap { style in
        [KeyInflection.snake, .camel].map {
          ExportVariant(relationships: style, inflection: $0)
        }
      }
    case .kvc:
      return [false, true].flatMap { toMany in
        [false, true].flatMap { subobjects in
          [RelationshipStyle.array, .none].map {
            ExportVariant(relationships: $0, writesToMany: toMany, writesSubobjects: subobjects)
          }
        }
      }
    }
  }

  /// Returns the position of the variant for a style.
  ///
  /// - Throws: ``Status/invalidArgument`` for a style that the dialect does not support.
  func variant(_ style: ExportStyle) throws -> Int {
    let variants = Self.variants(dialect)
    let hasOptIns = dialect == .kvc
    if !hasOptIns && (style.writesToMany || style.writesSubobjects) {
      throw GrootError(
        .invalidArgument,
        "only rules leave open whether to-many relationships and subobjects are written")
    }
    let wanted = ExportVariant(
      relationships: style.relationships ?? .array,
      inflection: style.inflection ?? variants[0].inflection,
      writesToMany: hasOptIns ? style.writesToMany : true,
      writesSubobjects: hasOptIns ? style.writesSubobjects : true)
    guard let position = variants.firstIndex(of: wanted) else {
      throw GrootError(
        .invalidArgument,
        variants[0].inflection == nil && style.inflection != nil
          ? "an inflection has no meaning where keys are given by annotations or rules"
          : "relationships can be written as 'array' or 'none' here, not as 'nested'")
    }
    return position
  }
}
