/// A model compiled with a registry: how JSON becomes objects and objects become JSON.
///
/// It never changes after it was made; contexts on any number of threads share it.
public final class Mapping: Sendable {
  /// How the model's annotations are read.
  public enum Dialect: String, CaseIterable, Sendable {
    /// Groot's annotations: `JSONKeyPath`, `identityAttributes` and so on.
    case groot
  }

  /// The model.
  public let model: ManagedObjectModel
  /// How its annotations were read.
  public let dialect: Dialect
  /// What looks wrong but does not keep the mapping from working; empty when all is well.
  public let warnings: [Issue]
  let entities: [EntityMapping]
  let plan: Plan

  /// Compiles a mapping.
  ///
  /// - Parameter isImplicit: Whether properties without a key path stand under their own names.
  /// - Throws: ``GrootError`` with one issue for each fault: ``Status/invalidMapping``, or
  ///   ``Status/unknownTransformer`` when nothing but names is missing.
  public init(
    model: ManagedObjectModel, registry: TransformerRegistry = TransformerRegistry(),
    dialect: Dialect = .groot, isImplicit: Bool = false
  ) throws {
    var compiler = GrootDialect(model: model, registry: registry, isImplicit: isImplicit)
    let entities = compiler.compile()
    if let first = compiler.issues.first {
      let isOneKind = compiler.issues.allSatisfy { $0.status == first.status }
      throw GrootError(isOneKind ? first.status : .invalidMapping, compiler.issues)
    }
    self.model = model
    self.dialect = dialect
    self.warnings = compiler.warnings
    self.entities = entities
    self.plan = Plan(model: model, entities: entities)
  }
}
