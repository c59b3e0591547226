// The ways in which the mappings of each dialect can write objects.

extension Mapping {
  /// The variants that a dialect compiles, the usual one first.
  static func variants(_ dialect: Dialect) -> [ExportVariant] {
    switch dialect {
    case .groot: return [.array, .none].map { ExportVariant(relationships: $0) }
    case .hyper:
      return [ExportOptions.RelationshipStyle.array, .nested, .none].flatMap { style in
        [ExportOptions.Inflection.snake, .camel].map {
          ExportVariant(relationships: style, inflection: $0)
        }
      }
    case .kvc:
      return [false, true].flatMap { toMany in
        [false, true].flatMap { subobjects in
          [ExportOptions.RelationshipStyle.array, .none].map {
            ExportVariant(relationships: $0, writesToMany: toMany, writesSubobjects: subobjects)
          }
        }
      }
    }
  }

  /// The position of the variant that the options of an export ask for.
  ///
  /// - Throws: ``Status/invalidArgument`` for what the dialect has no meaning for.
  func variant(_ options: ExportOptions) throws -> Int {
    let variants = Self.variants(dialect)
    let hasOptIns = dialect == .kvc
    if !hasOptIns && (options.writesToMany || options.writesSubobjects) {
      throw GrootError(
        .invalidArgument,
        "only rules leave open whether to-many relationships and subobjects are written")
    }
    let wanted = ExportVariant(
      relationships: options.relationships ?? .array,
      inflection: options.inflection ?? variants[0].inflection,
      writesToMany: hasOptIns ? options.writesToMany : true,
      writesSubobjects: hasOptIns ? options.writesSubobjects : true)
    guard let position = variants.firstIndex(of: wanted) else {
      throw GrootError(
        .invalidArgument,
        variants[0].inflection == nil && options.inflection != nil
          ? "an inflection has no meaning where keys are given by annotations or rules"
          : "relationships can be written as 'array' or 'none' here, not as 'nested'")
    }
    return position
  }
}
