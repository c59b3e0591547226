// The annotation for the formats of dates.

extension MappingCompilation {
  /// The name of the annotation.
  static let dateFormat = "groot.dateFormat"

  /// Sets the date formats of a property from its annotation.
  ///
  /// - Parameters:
  ///   - mapping: The mapping of the property.
  ///   - isRead: Whether imports read it: a format for exports only may omit parts of a date.
  ///   - entity: The entity, for messages.
  mutating func setDateForms(
    of mapping: inout PropertyMapping, isRead: Bool, entity: String
  ) {
    let property = mapping.property
    guard let text = property.userInfo[Self.dateFormat] else { return }
    guard let type = property.attribute?.type, type == .date || type == .day else {
      let found = property.attribute?.type.rawValue ?? "a relationship"
      report(
        .invalidMapping, "\(Self.dateFormat) is for dates and days, not for \(found)",
        entity: entity, property: property.name)
      return
    }
    if property.userInfo["JSONTransformerName"] != nil {
      report(
        .invalidMapping,
        "JSONTransformerName and \(Self.dateFormat) cannot both say how it is read and written",
        entity: entity, property: property.name)
    }
    do {
      mapping.dateForms = try DateForms(text, of: type, isRead: isRead)
      mapping.conversion = .dateForms
    } catch {
      let message = (error as? GrootError)?.issues.first?.message ?? ""
      report(
        .invalidMapping, "\(Self.dateFormat): \(message)", entity: entity,
        property: property.name)
    }
  }
}
