/// The key of the property of a typed entity: its name, and the declaration of its type.
///
/// Made once for a type and compared by identity, so that contexts find the property fast.
public final class PropertyKey: Sendable {
  /// The declaration of a property by its type.
  package enum Declaration: Sendable {
    case attribute(AttributeDescription)
    case relationship(RelationshipDescription)
  }

  /// The property's name; with a dot after each relationship that leads to it.
  public let name: String
  /// The declaration by its type; nil for a property that is reached through relationships.
  package let declaration: Declaration?

  package init(_ declaration: Declaration) {
    self.declaration = declaration
    name =
      switch declaration {
      case .attribute(let attribute): attribute.name
      case .relationship(let relationship): relationship.name
      }
  }

  /// The key of a property behind a to-one relationship.
  package init(_ key: PropertyKey, behind relationship: PropertyKey) {
    name = "\(relationship.name).\(key.name)"
    declaration = nil
  }
}
