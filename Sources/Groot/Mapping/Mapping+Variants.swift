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
